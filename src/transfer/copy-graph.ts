import type { Author } from '../model/commit.js';
import { TrellisError } from '../model/error.js';
import { defaultGraph } from '../model/graph-record.js';
import type { ProgressListener } from '../model/progress.js';
import type { Store } from '../store/store-contract.js';
import { copyHead } from './copy-head.js';
import { copyHistory } from './copy-history.js';
import { findCopyProgress, notACopyError } from './copy-progress.js';
import { graphDigest } from './graph-digest.js';
import { headDigest } from './head-pages.js';
import { canCopyHistory, type HistoryEnd } from './history-end.js';

export interface CopyOptions {
  /** The author of a copy without history. */
  readonly author: Author;
  readonly listener?: ProgressListener;
  /** Nodes or edges held in memory at a time; tests make it small. */
  readonly chunkSize?: number | undefined;
}

export interface CopyResult {
  readonly graph: string;
  /** Whether commits and branches were copied, or only the head of `main`. */
  readonly history: boolean;
  /** Commits written by this copy. */
  readonly commits: number;
  /** Commits written by an earlier, interrupted copy. */
  readonly alreadyThere: number;
  /** The same for source and target. */
  readonly digest: string;
}

/** Copies a graph into a store, or continues an interrupted copy, then verifies it. */
export async function copyGraph(
  source: Store,
  target: Store,
  graph: string,
  options: CopyOptions,
): Promise<CopyResult> {
  return (await canCopyHistory(source, target.capabilities, graph))
    ? copyWithHistory(source, target, graph, options)
    : copyWithoutHistory(source, target, graph, options.author);
}

async function copyWithHistory(
  source: Store,
  target: Store,
  graph: string,
  { listener, chunkSize }: CopyOptions,
): Promise<CopyResult> {
  const end = await source.branches(graph);
  await ensureGraph(target, graph);
  const progress = await findCopyProgress(source, target, graph, end);
  const alreadyThere = [...progress.done.values()].reduce((sum, count) => sum + count, 0);
  listener?.begin(`copying ${graph}`, progress.commits - alreadyThere);
  const onCommit = () => listener?.advance(1);
  const commits = await copyHistory(source, target, graph, { end, progress, onCommit, chunkSize });
  listener?.begin(`verifying ${graph}`, 2 * progress.commits);
  const digestOf = (store: Store, until?: HistoryEnd) => graphDigest(store, graph, { until, onCommit });
  const [before, after] = [await digestOf(source, end), await digestOf(target)];
  return { graph, history: true, commits, alreadyThere, digest: verifyDigest(source, target, before, after) };
}

async function copyWithoutHistory(
  source: Store,
  target: Store,
  graph: string,
  author: Author,
): Promise<CopyResult> {
  const name = target.capabilities.graphs ? graph : defaultGraph;
  await ensureGraph(target, name);
  // Others may write to the source meanwhile; a commit always reads the same.
  const commit = source.capabilities.branches
    ? (await source.commits({ graph }, { limit: 1 }))[0]?.id
    : undefined;
  const before = await headDigest(source, graph, commit);
  const fresh = await isEmpty(target, name);
  if (fresh)
    await copyHead({ from: { store: source, graph, commit }, to: { store: target, graph: name }, author });
  const after = await headDigest(target, name);
  if (!fresh && before !== after) throw notACopyError(source, target, graph);
  const commits = fresh && !(await isEmpty(target, name)) ? 1 : 0;
  const digest = verifyDigest(source, target, before, after);
  return { graph, history: false, commits, alreadyThere: fresh ? 0 : 1, digest };
}

async function ensureGraph(target: Store, graph: string): Promise<void> {
  const there = (await target.graphs()).some(({ name }) => name === graph);
  if (!there) await target.createGraph(graph);
}

/** A file has no history, so its rows count. */
async function isEmpty(store: Store, graph: string): Promise<boolean> {
  if (store.capabilities.branches) return (await store.commitsSince(graph, 0, 1)).length === 0;
  const { nodes, edges } = await store.read({ graph }, (reader) => reader.counts());
  return nodes + edges === 0;
}

function verifyDigest(source: Store, target: Store, before: string, after: string): string {
  if (before === after) return after;
  throw new TrellisError(
    'STORE_CORRUPT',
    `The copy in ${target.location} differs from ${source.location}: the digests do not match.`,
    {
      hint: 'If another process wrote to either store, stop it and copy again. Otherwise run trellis doctor on both.',
      details: { source: before, target: after },
    },
  );
}

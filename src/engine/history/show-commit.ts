import type { Commit } from '../../model/commit.js';
import type { ReadOptions } from '../../store/read-options.js';
import type { Store } from '../../store/store-contract.js';
import { diffStates, tooManyChanges } from './diff-states.js';
import type { GraphDiff } from './graph-diff.js';

/** A commit with its changes against its parent. */
export interface CommitWithChanges {
  readonly commit: Commit;
  readonly changes: GraphDiff;
}

/** Commits with more changes count as long reads. */
const shortReadChanges = 500;

interface ShowCommitOptions extends Omit<ReadOptions, 'length'> {
  /** Refuses commits that touched more, before reading the changes. */
  readonly maxTouched?: number | undefined;
}

export interface ChangesPage {
  readonly changes: GraphDiff;
  /** How many of what the commit touched precede the next page; undefined after the last. */
  readonly next: number | undefined;
}

/** The changes among `limit` of the nodes and edges that a commit touched; the schema comes with the first page. */
export function commitChangesPage(
  store: Store,
  graph: string,
  { id, parent }: Commit,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  options: Omit<ReadOptions, 'length'> = {},
): Promise<ChangesPage> {
  return store.read(
    { graph, commit: id },
    async (after) => {
      const { nodes, edges } = await after.touchedBy(id);
      const end = offset + limit;
      const touched = {
        nodes: nodes.slice(offset, end),
        edges: edges.slice(Math.max(0, offset - nodes.length), Math.max(0, end - nodes.length)),
      };
      const { schema, ...rows } = await diffStates(await after.at(parent), after, touched);
      return {
        changes: offset > 0 || schema === undefined ? rows : { schema, ...rows },
        next: end < nodes.length + edges.length ? end : undefined,
      };
    },
    { ...options, length: limit > shortReadChanges ? 'linear' : 'short' },
  );
}

export async function showCommit(
  store: Store,
  graph: string,
  id: string,
  options?: ShowCommitOptions,
): Promise<CommitWithChanges> {
  const commit = await store.commit(graph, id);
  return { commit, changes: await commitChanges(store, graph, commit, options) };
}

export function commitChanges(
  store: Store,
  graph: string,
  { id, counts, parent, mergedParent }: Commit,
  { maxTouched = Number.POSITIVE_INFINITY, ...options }: ShowCommitOptions = {},
): Promise<GraphDiff> {
  const changed = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return store.read(
    { graph, commit: id },
    async (after) => {
      const touched = await after.touchedBy(id);
      const count = touched.nodes.length + touched.edges.length;
      if (count > maxTouched) throw tooManyChanges(`The commit ${id}`, count);
      return diffStates(await after.at(parent), after, touched);
    },
    { ...options, length: changed > shortReadChanges || mergedParent !== null ? 'linear' : 'short' },
  );
}

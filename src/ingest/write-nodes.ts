import { iterateChunks, lookUpAhead } from '../bounds/chunks.js';
import { TimeSlice } from '../bounds/time-slice.js';
import { assignNodeIds, claimStubs } from '../engine/write/assign-node-ids.js';
import { NodesByName } from '../engine/write/nodes-by-name.js';
import type { Props } from '../model/json.js';
import { equalJson } from '../model/json.js';
import type { Node, NodeId } from '../model/node.js';
import { patchProps } from '../model/patch-props.js';
import type { ProgressListener } from '../model/progress.js';
import {
  overlayProvenance,
  type PropsWithProvenance,
  type Provenance,
  pruneProvenance,
  retainProvenance,
} from '../model/provenance.js';
import type { NodeDraft, ObservationDraft } from '../store/drafts.js';
import type { Identity } from '../store/read-results.js';
import type { Writer } from '../store/writer.js';
import type { BatchNode, IngestBatch } from './ingest-batch.js';
import type { IngestMode } from './ingest-mode.js';
import { lineError } from './line-error.js';

export const ingestChunkSize = 1_000;

/** So many names stay in memory; the nodes of all others are looked up when edges name them. */
const maxKnownNames = 100_000;

export interface NodeIdsOptions {
  /** Whether `all` is needed. */
  readonly keepsAll?: boolean;
  readonly maxNames?: number;
}

/** The nodes of a batch by type and name; of a very large batch, only some. */
export class NodeIds {
  readonly #types = new Map<string, Map<string, NodeId>>();
  readonly #all: Set<NodeId> | undefined;
  #free: number;

  constructor({ keepsAll = false, maxNames = maxKnownNames }: NodeIdsOptions = {}) {
    this.#all = keepsAll ? new Set() : undefined;
    this.#free = maxNames;
  }

  add(type: string, name: string, id: NodeId): void {
    this.#all?.add(id);
    if (this.#free === 0) return;
    this.#free -= 1;
    const named = this.#types.get(type);
    if (named === undefined) this.#types.set(type, new Map([[name, id]]));
    else named.set(name, id);
  }

  /** Undefined also if it was not kept. */
  get(type: string, name: string): NodeId | undefined {
    return this.#types.get(type)?.get(name);
  }

  get all(): ReadonlySet<NodeId> {
    return this.#all ?? new Set();
  }
}

export async function writeNodes(
  rows: Writer,
  batch: IngestBatch,
  mode: IngestMode,
  progress?: ProgressListener,
): Promise<NodeIds> {
  const ids = new NodeIds({ keepsAll: mode === 'overwrite' });
  const slice = new TimeSlice();
  const chunks = iterateChunks(batch.nodes, ingestChunkSize);
  let last: ReadonlySet<NodeId> = new Set();
  for await (const [chunk, ahead] of lookUpAhead(chunks, (nodes) => lookUp(rows, nodes))) {
    let found = isStale(ahead, last) ? await lookUp(rows, chunk) : ahead;
    const [some, others] = oncePerNode(chunk, found.identities);
    last = await writeChunk(rows, batch, some, found, mode, ids);
    for (let rest = others; rest.length > 0; ) {
      found = await lookUp(rows, rest);
      const [next, later] = oncePerNode(rest, found.identities);
      await writeChunk(rows, batch, next, found, mode, ids);
      rest = later;
    }
    await rows.settle();
    progress?.advance(chunk.length);
    if (slice.isOver) await slice.yieldToOthers();
  }
  return ids;
}

/** What there is of the nodes of a chunk. */
interface FoundNodes {
  readonly identities: readonly Identity[];
  readonly existing: NodesByName;
  /** Without stubs. */
  readonly before: ReadonlyMap<NodeId, Node>;
}

async function lookUp(rows: Writer, nodes: readonly BatchNode[]): Promise<FoundNodes> {
  const identities = await rows.identitiesNamed(nodes.map(({ name }) => name));
  const [existing, known] = await Promise.all([
    NodesByName.load(rows, identities),
    rows.nodesById([...new Set(identities.map(({ node }) => node))]),
  ]);
  const before = new Map(known.filter(({ stub }) => !stub).map((node) => [node.id, node]));
  return { identities, existing, before };
}

/** Whether writing the chunk before may have changed it: a node may have several types, and a stub is claimed once. */
function isStale({ identities, existing }: FoundNodes, written: ReadonlySet<NodeId>): boolean {
  return existing.hasStubs || identities.some(({ node }) => written.has(node));
}

/** A node that has had several types is put once, and then again for each further line that means it. */
function oncePerNode(
  nodes: readonly BatchNode[],
  identities: readonly Identity[],
): [now: readonly BatchNode[], later: readonly BatchNode[]] {
  if (new Set(identities.map(({ node }) => node)).size === identities.length) return [nodes, []];
  const ids = new Map(identities.map(({ type, name, node }) => [JSON.stringify([type, name]), node]));
  const put = new Set<NodeId>();
  const [now, later]: [BatchNode[], BatchNode[]] = [[], []];
  for (const node of nodes) {
    const id = ids.get(JSON.stringify([node.type, node.name]));
    if (id !== undefined && put.has(id)) later.push(node);
    else now.push(node);
    if (id !== undefined) put.add(id);
  }
  return [now, later];
}

/** Returns the ids of the nodes. */
async function writeChunk(
  rows: Writer,
  batch: IngestBatch,
  nodes: readonly BatchNode[],
  { identities, existing, before }: FoundNodes,
  mode: IngestMode,
  written: NodeIds,
): Promise<ReadonlySet<NodeId>> {
  const identified = await assignNodeIds(
    rows,
    nodes.map((node) => ({ type: node.type, name: node.name, observations: node.observations ?? [], node })),
    existing,
    identities,
  );
  const drafts: NodeDraft[] = [];
  const observed: { readonly id: NodeId; readonly node: BatchNode; readonly isNew: boolean }[] = [];
  for (const { id, spec } of identified) {
    const { node } = spec;
    written.add(node.type, node.name, id);
    const old = before.get(id);
    if (old !== undefined && mode === 'append') throw nodeExistsError(node);
    const draft = draftOf(rows.now, id, node, old, mode);
    batch.refuseStampCollision(node, draft.provenance ?? null);
    if (old === undefined || !isSame(old, draft)) drafts.push(draft);
    if (node.observations !== undefined || mode === 'overwrite')
      observed.push({ id, node, isNew: old === undefined });
  }
  await claimStubs(rows, drafts, existing);
  await rows.putNodes(drafts);
  await writeObservations(rows, observed, mode);
  return new Set(identified.map(({ id }) => id));
}

function draftOf(
  now: number,
  id: NodeId,
  { type, name, props: given, summary, tags, provenance }: BatchNode,
  old: Node | undefined,
  mode: IngestMode,
): NodeDraft {
  const isReplaced = old === undefined || mode === 'overwrite';
  const props = patchProps(isReplaced ? {} : old.props, given);
  const stamp = resolveProvenance(old, props, provenance, mode);
  // Most nodes of a batch are new and only have properties.
  if (old === undefined && (summary ?? null) === null && (tags ?? []).length === 0)
    return { id, type, name, props, ...(stamp === null ? {} : { provenance: stamp }) };
  const newSummary = summary === undefined ? (isReplaced ? null : old.summary) : summary;
  const newTags = tags ?? (isReplaced ? [] : old.tags);
  return {
    ...old,
    ...{ id, type, name },
    props,
    provenance: stamp,
    ...(newSummary === (old?.summary ?? null)
      ? {}
      : { summary: newSummary, summaryUpdatedAt: newSummary === null ? null : now }),
    ...(newTags.length === 0 && old === undefined ? {} : { tags: newTags }),
  };
}

function isSame(old: Node, { props = {}, summary = null, tags = [], provenance = null }: NodeDraft): boolean {
  return equalJson([old.props, old.summary, old.tags, old.provenance], [props, summary, tags, provenance]);
}

/**
 * The provenance after a write: that of the line, over the existing one as far as it still applies. Overwriting with other
 * properties drops the existing one.
 */
export function resolveProvenance(
  old: PropsWithProvenance | undefined,
  props: Props,
  given: Provenance | undefined,
  mode: IngestMode,
): Provenance | null {
  const before = old ?? { props: {}, provenance: null };
  const isUnchanged = equalJson(before.props, props);
  if (given === undefined && isUnchanged) return before.provenance;
  const kept = mode === 'overwrite' && !isUnchanged ? null : retainProvenance(before, props);
  return given === undefined ? kept : pruneProvenance({ props, provenance: overlayProvenance(kept, given) });
}

/** Adds missing texts; in mode overwrite, removes the others. */
async function writeObservations(
  rows: Writer,
  observed: readonly { readonly id: NodeId; readonly node: BatchNode; readonly isNew: boolean }[],
  mode: IngestMode,
): Promise<void> {
  const older = observed.filter(({ isNew }) => !isNew).map(({ id }) => id);
  const there = new Map<NodeId, Map<string, number>>();
  for (const { node, ordinal, text } of await rows.observationsOf(older)) {
    const texts = there.get(node) ?? new Map<string, number>();
    there.set(node, texts.set(text, ordinal));
  }
  const put: ObservationDraft[] = [];
  const removed: { readonly node: NodeId; readonly ordinal: number }[] = [];
  for (const { id, node } of observed) {
    const wanted = new Set(node.observations ?? []);
    const texts = there.get(id);
    for (const text of wanted) if (texts?.has(text) !== true) put.push({ node: id, text });
    if (mode !== 'overwrite') continue;
    for (const [text, ordinal] of texts ?? []) if (!wanted.has(text)) removed.push({ node: id, ordinal });
  }
  await rows.removeObservations(removed);
  await rows.putObservations(put);
}

function nodeExistsError({ line, type, name }: BatchNode): Error {
  return lineError(
    line,
    `${type} ${JSON.stringify(name)} already exists.`,
    'Use the mode merge to change it, or remove the line.',
    'NODE_EXISTS',
  );
}

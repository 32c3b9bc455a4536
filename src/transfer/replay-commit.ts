import { authorOf, type Commit } from '../model/commit.js';
import type { EdgeIdentity } from '../model/edge.js';
import { TrellisError } from '../model/error.js';
import type { Node, NodeId, Observation } from '../model/node.js';
import type { Order } from '../model/order.js';
import type { NodeDraft } from '../store/drafts.js';
import type { CountedIdentity, TouchedItems } from '../store/read-results.js';
import type { Reader } from '../store/reader.js';
import type { Store } from '../store/store-contract.js';
import type { Writer } from '../store/writer.js';
import {
  type CommitChunk,
  type EdgesAfter,
  type NodesAfter,
  readCommitChunks,
  removedEdges,
  removedNodes,
} from './commit-chunks.js';
import { mapNodeIds, type NodeIdMap } from './map-node-ids.js';
import type { SeqTable } from './seq-table.js';

interface ReplayOptions {
  readonly graph: string;
  /** The target's seqs by the source's. */
  readonly seqs: SeqTable;
  readonly chunkSize: number | undefined;
}

interface ChunkWithIdentities<T> {
  readonly after: T;
  readonly more: readonly CountedIdentity[];
}

/**
 * Writes a commit of the source to the target, with the same id, time, author and counts. A large commit is read in chunks
 * while it is written. Reading again, if the store retries the write, is safe: a commit always reads the same.
 */
export async function replayCommit(
  source: Store,
  target: Store,
  commit: Commit,
  { graph, seqs, chunkSize }: ReplayOptions,
): Promise<Commit> {
  const { nodes, edges, kept, schema } = await readCommitChunks(source, graph, commit, chunkSize);
  const mapOrder = orderMapper(commit, seqs);
  // Most commits have one chunk of each, which is read before the target is locked.
  const nodeChunks = await readAhead(nodes, nodeIdentities);
  const edgeChunks = await readAhead(edges, endIdentities);
  const keptIdentities = await identitiesOfKept(source, graph, kept);
  const written = await target.write(
    { graph, branch: commit.branch },
    authorOf(commit),
    async (writer) => {
      if (schema !== undefined) await writer.setSchema(schema);
      for (const read of nodeChunks) await putNodes(writer, await read(), mapOrder);
      for (const read of edgeChunks) await putEdges(writer, await read(), mapOrder);
      await keepTouched(writer, kept, keptIdentities);
    },
    { id: commit.id, time: commit.time, mergedParent: commit.mergedParent, counts: commit.counts },
  );
  if (written.commit === null) throw new TrellisError('INTERNAL', `Commit ${commit.id} was not recorded.`);
  return written.commit;
}

async function identitiesOfKept(
  source: Store,
  graph: string,
  { nodes, edges }: TouchedItems,
): Promise<CountedIdentity[]> {
  const ids = new Set([...nodes, ...edges.flatMap(({ from, to }) => [from, to])]);
  return ids.size === 0 ? [] : source.read({ graph }, (reader) => reader.identitiesOf([...ids]));
}

async function keepTouched(
  writer: Writer,
  { nodes, edges }: TouchedItems,
  identities: readonly CountedIdentity[],
): Promise<void> {
  if (identities.length === 0) return;
  const ids = await mapNodeIds(writer, identities);
  await writer.keep({
    nodes: nodes.map((id) => mappedId(ids, id)),
    edges: edges.map((edge) => ({ ...edge, from: mappedId(ids, edge.from), to: mappedId(ids, edge.to) })),
  });
}

async function readAhead<T>(
  chunks: readonly CommitChunk<T>[],
  identities: (reader: Reader, after: T) => Promise<CountedIdentity[]>,
): Promise<(() => Promise<ChunkWithIdentities<T>>)[]> {
  const [first, ...others] = chunks;
  if (first === undefined) return [];
  const ahead = await first.read(identities);
  return [async () => ahead, ...others.map((chunk) => () => chunk.read(identities))];
}

function nodeIdentities(reader: Reader, { touched }: NodesAfter): Promise<CountedIdentity[]> {
  return reader.identitiesOf(touched);
}

function endIdentities(reader: Reader, { touched }: EdgesAfter): Promise<CountedIdentity[]> {
  return reader.identitiesOf([...new Set(touched.flatMap(({ from, to }) => [from, to]))]);
}

/** The order in the target: in the commit being written, or in an earlier one. */
type MapOrder = (order: Order) => { readonly order: Order } | { readonly position: number };

function orderMapper(commit: Commit, seqs: SeqTable): MapOrder {
  return ({ seq, position }) =>
    seq === commit.seq ? { position } : { order: { seq: seqs.get(seq), position } };
}

async function putNodes(
  writer: Writer,
  { after, more }: ChunkWithIdentities<NodesAfter>,
  mapOrder: MapOrder,
): Promise<void> {
  const ids = await mapNodeIds(writer, more);
  await writer.removeNodes(removedNodes(after).flatMap((id) => ids.get(id) ?? []));
  const drafts = after.nodes.map(({ order, ...node }) => ({
    ...node,
    id: mappedId(ids, node.id),
    ...mapOrder(order),
  }));
  const before = new Map((await writer.nodesById(drafts.map(({ id }) => id))).map((node) => [node.id, node]));
  const observations = observationChanges(
    await writer.observationsOf([...before.keys()]),
    after.observations.map((observation) => ({ ...observation, node: mappedId(ids, observation.node) })),
  );
  const observed = new Set([...observations.put, ...observations.removed].map(({ node }) => node));
  await writer.putNodes(
    // A touched node without changed observations got a new version, perhaps with the same content.
    drafts.filter((draft) => !observed.has(draft.id) || !isSameNode(before.get(draft.id), draft)),
  );
  await writer.removeObservations(observations.removed);
  await writer.putObservations(observations.put);
}

async function putEdges(
  writer: Writer,
  { after, more }: ChunkWithIdentities<EdgesAfter>,
  mapOrder: MapOrder,
): Promise<void> {
  const ids = await mapNodeIds(writer, more);
  const ends = ({ from, to }: EdgeIdentity) => ({ from: mappedId(ids, from), to: mappedId(ids, to) });
  await writer.removeEdges(removedEdges(after).map((identity) => ({ ...identity, ...ends(identity) })));
  await writer.putEdges(
    after.edges.map(({ order, ...edge }) => ({ ...edge, ...ends(edge), ...mapOrder(order) })),
  );
}

function observationChanges(
  before: readonly Observation[],
  wanted: readonly Observation[],
): { readonly put: readonly Observation[]; readonly removed: readonly Observation[] } {
  const key = ({ node, ordinal }: Observation) => `${node} ${ordinal}`;
  const known = new Map(before.map((observation) => [key(observation), observation]));
  const kept = new Set(wanted.map(key));
  return {
    put: wanted.filter((observation) => {
      const old = known.get(key(observation));
      return old === undefined || observationContent(old) !== observationContent(observation);
    }),
    removed: before.filter((observation) => !kept.has(key(observation))),
  };
}

function observationContent({ text, provenance, createdAt }: Observation): string {
  return JSON.stringify([text, provenance, createdAt]);
}

function isSameNode(before: Node | undefined, draft: NodeDraft): boolean {
  if (before === undefined || draft.order === undefined) return false;
  const content = (node: NodeDraft) => [
    ...[node.type, node.name, node.stub, node.summary, node.summaryUpdatedAt, node.tags, node.props],
    ...[node.provenance, node.createdAt, node.order?.seq, node.order?.position],
  ];
  return JSON.stringify(content(before)) === JSON.stringify(content(draft));
}

function mappedId(ids: NodeIdMap, id: NodeId): NodeId {
  const node = ids.get(id);
  if (node === undefined)
    throw new TrellisError('STORE_CORRUPT', `Node ${id} of the source has no identity.`);
  return node;
}

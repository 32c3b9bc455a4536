import { createHash } from 'node:crypto';
import type { Commit } from '../model/commit.js';
import type { Edge } from '../model/edge.js';
import { groupEntries } from '../model/group-entries.js';
import type { Node, NodeId, Observation } from '../model/node.js';
import { compareText, type Order } from '../model/order.js';
import type { Reader } from '../store/reader.js';
import type { Store } from '../store/store-contract.js';
import { readCommitChunks, removedEdges, removedNodes } from './commit-chunks.js';

/** Describes a position in the history in terms that all stores share. */
type DescribeOrder = (order: Order) => readonly unknown[];

/**
 * The digest of one commit: its record and its changes, by name. Rows that the commit created and removed again are left
 * out: no reader can see them.
 */
export async function commitDigest(
  store: Store,
  graph: string,
  commit: Commit,
  describeOrder: DescribeOrder,
): Promise<string> {
  const items: string[] = [];
  const add = (...parts: unknown[]) => items.push(hashParts(parts, 'base64'));
  const { nodes, edges, schema } = await readCommitChunks(store, graph, commit);
  if (schema !== undefined) add('schema', schema);
  const before = beforeCommit(store, graph, commit);
  for (const chunk of nodes) {
    const { after } = await chunk.read(async () => undefined);
    const observations = groupEntries(after.observations.map((each) => [each.node, each]));
    for (const node of after.nodes)
      add('node', ...describeNode(node, observations.get(node.id), describeOrder));
    const gone = removedNodes(after);
    for (const { type, name } of await before(gone, (reader) => reader.nodesById(gone)))
      add('gone', type, name);
  }
  for (const chunk of edges) {
    const { after, more: ends } = await chunk.read((reader, { edges: found }) => endsOf(reader, found));
    for (const edge of after.edges) add('edge', ...describeEdge(edge, ends, describeOrder));
    const gone = removedEdges(after);
    const named = await before(gone, async (reader) => {
      const found = await reader.edgesByIdentity(gone);
      const goneEnds = await endsOf(reader, found);
      return found.map((edge) => describeIdentity(edge, goneEnds));
    });
    for (const identity of named) add('gone edge', ...identity);
  }
  const changed = createHash('sha256');
  // Sorted, because each store answers in the order of its own ids.
  for (const item of items.sort()) changed.update(item);
  return hashParts([describeCommit(commit), items.length, changed.digest('base64')]);
}

export function hashParts(parts: readonly unknown[], encoding: 'hex' | 'base64' = 'hex'): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest(encoding);
}

function describeCommit(commit: Commit): unknown[] {
  const { id, branch, parent, mergedParent, actor, tool, client, message, time, counts } = commit;
  const counted = Object.entries(counts).sort(([a], [b]) => compareText(a, b));
  // Left out where both are missing, so that the digests of older histories stay the same.
  const more = (client ?? message) === undefined ? [] : [client ?? null, message ?? null];
  return [id, branch, parent, mergedParent, actor, tool, time, counted, ...more];
}

function describeNode(
  node: Node,
  observations: readonly Observation[] = [],
  describeOrder: DescribeOrder,
): unknown[] {
  return [
    node.type,
    node.name,
    node.stub,
    node.summary,
    node.summaryUpdatedAt,
    node.tags,
    node.props,
    node.provenance,
    node.createdAt,
    describeOrder(node.order),
    observations.map(({ ordinal, text, provenance, createdAt }) => [ordinal, text, provenance, createdAt]),
  ];
}

function describeEdge(
  edge: Edge,
  ends: ReadonlyMap<NodeId, Node>,
  describeOrder: DescribeOrder,
): readonly unknown[] {
  const { weight, props, provenance, createdAt, order } = edge;
  return [...describeIdentity(edge, ends), weight, props, provenance, createdAt, describeOrder(order)];
}

/** Endpoints of different types may share a name. */
function describeIdentity(edge: Edge, ends: ReadonlyMap<NodeId, Node>): readonly unknown[] {
  const { from, to, fromName, toName, type, key } = edge;
  return [fromName, ends.get(from)?.type, type, toName, ends.get(to)?.type, key];
}

async function endsOf(reader: Reader, edges: readonly Edge[]): Promise<Map<NodeId, Node>> {
  const ids = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return new Map((await reader.nodesById([...ids])).map((node) => [node.id, node]));
}

/** Reads the state before a commit, if anything is asked for. */
function beforeCommit(store: Store, graph: string, { parent }: Commit) {
  return async <T>(
    wanted: readonly unknown[],
    read: (reader: Reader) => Promise<readonly T[]>,
  ): Promise<readonly T[]> =>
    parent === null || wanted.length === 0 ? [] : store.read({ graph, commit: parent }, read);
}

import type { UndirectedGraph } from 'graphology';
import { workspaceLimits } from '../model/limits.js';
import type { NodeId } from '../model/node.js';
import type { Order } from '../model/order.js';
import type { Reader } from '../store/contract.js';

/** Two nodes that say similar things. */
export interface SimilarPair {
  readonly a: { readonly id: NodeId; readonly name: string; readonly type: string };
  readonly b: { readonly id: NodeId; readonly name: string; readonly type: string };
  readonly similarity: number;
}

/** Nodes that have more to do with each other than with the rest, the most connected first. */
export interface Cluster {
  readonly names: readonly string[];
  /** The name of its most connected node. */
  readonly label: string;
}

/** Who has to do with whom, and how much. */
export type Ties = UndirectedGraph<{ name: string }, { weight: number }>;

/** Edges that are read at a time. */
const portion = 5_000;

/** The communities of nodes that relations and similarities connect, largest first; undefined if there are too many. */
export async function clusters(
  reader: Reader,
  similar: readonly SimilarPair[],
): Promise<Cluster[] | undefined> {
  // Loaded when a report is asked for, so that nothing else waits for it.
  const [{ UndirectedGraph }, { communitiesOf }] = await Promise.all([
    import('graphology'),
    import('./communities.js'),
  ]);
  const ties: Ties = new UndirectedGraph();
  if (!(await addRelations(reader, ties))) return undefined;
  for (const { a, b, similarity } of similar) tie(ties, a.id, a.name, b.id, b.name, similarity);
  if (ties.size === 0) return [];
  return described(ties, communitiesOf(ties));
}

async function addRelations(reader: Reader, ties: Ties): Promise<boolean> {
  const stubs = new Set((await reader.stubs()).map(({ id }) => id));
  for (let after: Order | undefined, read = 0; ; ) {
    const edges = await reader.edges({ after, limit: portion });
    for (const { from, to, fromName, toName, weight } of edges) {
      if (!stubs.has(from) && !stubs.has(to)) tie(ties, from, fromName, to, toName, weight);
    }
    read += edges.length;
    if (edges.length < portion) return true;
    if (read > workspaceLimits.clusteredEdges) return false;
    after = edges.at(-1)?.order;
  }
}

/** Several edges between two nodes tie them the more. */
function tie(ties: Ties, from: NodeId, fromName: string, to: NodeId, toName: string, weight: number): void {
  if (from === to || weight <= 0) return;
  ties.mergeNode(String(from), { name: fromName });
  ties.mergeNode(String(to), { name: toName });
  ties.updateEdge(String(from), String(to), (attributes) => ({ weight: (attributes.weight ?? 0) + weight }));
}

function described(ties: Ties, communities: ReadonlyMap<string, number>): Cluster[] {
  const inside = new Map<string, number>();
  ties.forEachEdge((_, { weight }, a, b) => {
    if (communities.get(a) !== communities.get(b)) return;
    for (const end of [a, b]) inside.set(end, (inside.get(end) ?? 0) + weight);
  });
  const members = new Map<number, { readonly name: string; readonly centrality: number }[]>();
  ties.forEachNode((node, { name }) => {
    const community = communities.get(node) ?? 0;
    const member = { name, centrality: inside.get(node) ?? 0 };
    const known = members.get(community);
    if (known === undefined) members.set(community, [member]);
    else known.push(member);
  });
  return [...members.values()]
    .map((nodes) => nodes.sort((a, b) => b.centrality - a.centrality || compareText(a.name, b.name)))
    .map((nodes) => ({ names: nodes.map(({ name }) => name), label: nodes[0]?.name ?? '' }))
    .sort((a, b) => b.names.length - a.names.length || compareText(a.label, b.label));
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

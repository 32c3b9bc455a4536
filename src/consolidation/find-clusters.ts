import type { Deadline } from '../bounds/deadline.js';
import { TimeSlice } from '../bounds/time-slice.js';
import { workspaceLimits } from '../model/limits.js';
import { compareText, type Order } from '../model/order.js';
import type { SimilarNodePair } from '../search/similar/similar-nodes.js';
import type { Reader } from '../store/reader.js';
import { findCommunities } from './find-communities.js';
import { WeightedGraph } from './weighted-graph.js';

/** Nodes more connected to each other than to the rest, most connected first. */
export interface Cluster {
  readonly names: readonly string[];
  /** The name of its most connected node. */
  readonly label: string;
}

const batchSize = 5_000;

interface ClustersResult {
  readonly clusters: readonly Cluster[];
  readonly missing?: 'too many' | 'out of time';
}

/** Communities of nodes connected by relations or similarity, largest first. */
export async function findClusters(
  reader: Reader,
  similar: readonly SimilarNodePair[],
  deadline: Deadline,
): Promise<ClustersResult> {
  const ties = new WeightedGraph();
  const missing = await addEdges(reader, ties, deadline);
  if (missing !== undefined) return { clusters: [], missing };
  for (const { a, b, similarity } of similar) ties.add(a, b, similarity);
  if (ties.nodes === 0) return { clusters: [] };
  const communities = await findCommunities(ties, deadline);
  if (communities === undefined) return { clusters: [], missing: 'out of time' };
  return { clusters: await describeClusters(ties, communities) };
}

async function addEdges(
  reader: Reader,
  ties: WeightedGraph,
  deadline: Deadline,
): Promise<ClustersResult['missing']> {
  const slice = new TimeSlice();
  const stubs = new Set((await reader.stubs()).map(({ id }) => id));
  for (let after: Order | undefined, read = 0; ; ) {
    if (deadline.passed) return 'out of time';
    const edges = await reader.edges({ after, limit: batchSize });
    for (const { from, to, fromName, toName, weight } of edges) {
      if (slice.isOver) await slice.yieldToOthers();
      if (!stubs.has(from) && !stubs.has(to))
        ties.add({ id: from, name: fromName }, { id: to, name: toName }, weight);
    }
    read += edges.length;
    if (edges.length < batchSize) return undefined;
    if (read > workspaceLimits.clusteredEdges) return 'too many';
    after = edges.at(-1)?.order;
  }
}

async function describeClusters(
  { names, from, to, weights }: WeightedGraph,
  communities: readonly number[],
): Promise<Cluster[]> {
  const slice = new TimeSlice();
  const inside = new Array<number>(names.length).fill(0);
  for (const [place, weight] of weights.entries()) {
    if (slice.isOver) await slice.yieldToOthers();
    const ends = [from[place] ?? 0, to[place] ?? 0] as const;
    if (communities[ends[0]] !== communities[ends[1]]) continue;
    for (const end of ends) inside[end] = (inside[end] ?? 0) + weight;
  }
  const members = new Map<number, { readonly name: string; readonly centrality: number }[]>();
  for (const [node, name] of names.entries()) {
    if (slice.isOver) await slice.yieldToOthers();
    const community = communities[node] ?? 0;
    const member = { name, centrality: inside[node] ?? 0 };
    const known = members.get(community);
    if (known === undefined) members.set(community, [member]);
    else known.push(member);
  }
  return [...members.values()]
    .map((nodes) => nodes.sort((a, b) => b.centrality - a.centrality || compareText(a.name, b.name)))
    .map((nodes) => ({ names: nodes.map(({ name }) => name), label: nodes[0]?.name ?? '' }))
    .sort((a, b) => b.names.length - a.names.length || compareText(a.label, b.label));
}

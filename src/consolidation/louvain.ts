import { UndirectedGraph } from 'graphology';
import louvain from 'graphology-communities-louvain';
import { TrellisError } from '../model/error.js';
import type { WeightedEdgeList } from './weighted-graph.js';

/** Deterministic: the same graph always has the same communities. */
export function louvainCommunities({ nodes, from, to, weights }: WeightedEdgeList): number[] {
  const graph = new UndirectedGraph();
  for (let node = 0; node < nodes; node++) graph.addNode(node);
  for (const [place, weight] of weights.entries()) graph.addEdge(from[place], to[place], { weight });
  // The package exports a function, although its types declare a default export.
  const run: unknown = louvain;
  if (typeof run !== 'function') throw new TrellisError('INTERNAL', 'The communities cannot be computed.');
  const options = { randomWalk: false, rng: () => 0.5, getEdgeWeight: 'weight' };
  const communities: Record<string, number> = Reflect.apply(run, undefined, [graph, options]);
  return Array.from({ length: nodes }, (_, node) => communities[node] ?? 0);
}

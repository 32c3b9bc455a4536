import type { Deadline } from '../bounds/deadline.js';
import { TimeSlice } from '../bounds/time-slice.js';
import type { RedactableText } from '../model/error.js';
import type { Node } from '../model/node.js';
import type { Reader } from '../store/reader.js';
import type { NodeVector } from '../store/vector-store.js';
import { normalizeVector } from './embedders/embedder.js';
import type { KnownSpaces } from './embedding/embedding-spaces.js';
import { type NodePair, nearestPairs } from './semantic/nearest-pairs.js';

/** In a larger graph, only the newest nodes are compared. */
const maxNodes = 20_000;

export interface SimilarPairsRequest {
  /** Default: 20. */
  readonly limit?: number | undefined;
  /** The minimum cosine; default: 0.75. */
  readonly minScore?: number | undefined;
  /** Returns what was found by then; default: no limit. */
  readonly deadline?: Deadline | undefined;
}

export interface SimilarNodePair {
  readonly a: Node;
  readonly b: Node;
  readonly similarity: number;
}

export interface SimilarNodesResult {
  readonly pairs: readonly SimilarNodePair[];
  /** Why nothing could be compared. */
  readonly degraded?: RedactableText;
  /** What may be missing, and why. */
  readonly warnings: readonly string[];
}

/** Pairs of nodes without an edge whose observations are most similar, from the best perspective. */
export async function similarNodes(
  reader: Reader,
  spaces: KnownSpaces,
  { limit = 20, minScore = 0.75, deadline }: SimilarPairsRequest = {},
): Promise<SimilarNodesResult> {
  if (!spaces.known) return { pairs: [], degraded: spaces.reason, warnings: [] };
  const best = new Map<string, NodePair>();
  const slice = new TimeSlice();
  let compared = 0;
  let [someApart, cut, outOfTime] = [false, false, false];
  const found: { readonly pairs: readonly NodePair[]; readonly baseline: number }[] = [];
  for (const space of spaces.spaces) {
    const means: NodeVector[] = [];
    for (const { node, vector } of await reader.nodeVectors(space, maxNodes)) {
      if (slice.isOver) await slice.yieldToOthers();
      means.push({ node, vector: normalizeVector(vector) });
    }
    const nearest = await nearestPairs(means, minScore, deadline);
    found.push({ pairs: nearest.pairs, baseline: meanCosine(means) });
    compared = Math.max(compared, means.length);
    someApart ||= !nearest.comparedAll;
    cut ||= nearest.cut;
    outOfTime ||= nearest.outOfTime;
    if (outOfTime) break;
  }
  const lowest = Math.min(...found.map(({ baseline }) => baseline));
  for (const { pairs, baseline } of found) {
    for (const pair of pairs) {
      if (slice.isOver) await slice.yieldToOthers();
      const key = `${pair.a} ${pair.b}`;
      const score = pair.score - (baseline - lowest);
      if (score >= minScore && score > (best.get(key)?.score ?? -2)) best.set(key, { ...pair, score });
    }
  }
  const ordered = [...best.values()].sort((x, y) => y.score - x.score || x.a - y.a || x.b - y.b);
  const pairs = await pairsWithoutEdge(reader, ordered, limit);
  const { nodes } = await reader.counts();
  return {
    pairs,
    warnings: comparisonWarnings({ nodes, compared, someApart, outOfTime, cut: cut && pairs.length < limit }),
  };
}

/** Of all pairs of unit vectors: what an instruction that is part of every text raises. */
function meanCosine(vectors: readonly NodeVector[]): number {
  const count = vectors.length;
  if (count < 2) return 0;
  const sum = new Float64Array(vectors[0]?.vector.length ?? 0);
  for (const { vector } of vectors) {
    for (let axis = 0; axis < sum.length; axis++) sum[axis] = (sum[axis] ?? 0) + (vector[axis] ?? 0);
  }
  const square = sum.reduce((total, value) => total + value * value, 0);
  return (square - count) / (count * (count - 1));
}

interface ComparisonSummary {
  readonly nodes: number;
  readonly compared: number;
  readonly someApart: boolean;
  readonly outOfTime: boolean;
  /** Whether more pairs would have to be checked for a full page. */
  readonly cut: boolean;
}

function comparisonWarnings({ nodes, compared, someApart, outOfTime, cut }: ComparisonSummary): string[] {
  const said: string[] = [];
  if (nodes > maxNodes) said.push(`Only the newest ${maxNodes} nodes were compared.`);
  if (outOfTime) said.push(`Comparing ${compared} nodes took too long; some similar pairs are missing.`);
  else if (someApart)
    said.push(`Not every pair of ${compared} nodes was compared; some similar pairs may be missing.`);
  if (cut) said.push('There are more similar pairs; most of the most similar ones are already related.');
  return said;
}

async function pairsWithoutEdge(
  reader: Reader,
  ordered: readonly NodePair[],
  limit: number,
): Promise<SimilarNodePair[]> {
  const found: SimilarNodePair[] = [];
  const portion = Math.max(50, limit * 2);
  for (let at = 0; at < ordered.length && found.length < limit; at += portion) {
    const pairs = ordered.slice(at, at + portion);
    const ids = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
    const related = new Set(
      (await reader.edgesOf(ids)).flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]),
    );
    const nodes = new Map((await reader.nodesById(ids)).map((node) => [node.id, node]));
    for (const { a: first, b: second, score } of pairs) {
      const [a, b] = [nodes.get(first), nodes.get(second)];
      if (a === undefined || b === undefined || related.has(`${first} ${second}`)) continue;
      found.push({ a, b, similarity: Math.min(1, score) });
      if (found.length === limit) break;
    }
  }
  return found;
}

import { Turns } from '../../bounds/turns.js';
import type { NodeId } from '../../model/node.js';
import type { NodeVector } from '../../store/vectors.js';

/** Two nodes, the lower id first, and how alike they are. */
export interface NodePair {
  readonly a: NodeId;
  readonly b: NodeId;
  readonly score: number;
}

/** Up to so many nodes every pair is compared; of more, those that fall on the same side of enough random planes. */
const everyPairUpTo = 2_000;
const tables = 16;
/** How many nodes share a bucket on average. */
const bucketSize = 24;
/** A bucket of very similar nodes may be much larger: each is then compared with those next to it. */
const mostCompared = 64;
const mostPairs = 10_000;

/** The pairs of vectors of length 1 with at least this cosine; near-duplicates are never missed for want of luck alone. */
export async function nearestPairs(vectors: readonly NodeVector[], minScore: number): Promise<NodePair[]> {
  const pairs = new Map<string, NodePair>();
  let least = minScore;
  const compare = (x: NodeVector, y: NodeVector) => {
    const score = dot(x.vector, y.vector);
    if (score < least) return;
    const [a, b] = x.node < y.node ? [x.node, y.node] : [y.node, x.node];
    pairs.set(`${a} ${b}`, { a, b, score });
    if (pairs.size >= 2 * mostPairs) least = Math.max(least, dropLowest(pairs));
  };
  const turns = new Turns();
  if (vectors.length <= everyPairUpTo) await compareAll(vectors, vectors.length, compare, turns);
  else
    for await (const bucket of buckets(vectors, turns))
      await compareAll(bucket, mostCompared, compare, turns);
  return [...pairs.values()];
}

async function compareAll(
  vectors: readonly NodeVector[],
  reach: number,
  compare: (x: NodeVector, y: NodeVector) => void,
  turns: Turns,
): Promise<void> {
  for (const [at, x] of vectors.entries()) {
    if (turns.due) await turns.give();
    const end = Math.min(vectors.length, at + 1 + reach);
    for (let next = at + 1; next < end; next++) {
      const y = vectors[next];
      if (y !== undefined) compare(x, y);
    }
  }
}

/** Keeps the best pairs, of equal ones those found first; answers the score below which none is needed any more. */
function dropLowest(pairs: Map<string, NodePair>): number {
  // Plain numbers are sorted ten times as fast as pairs.
  const scores = Float64Array.from(pairs.values(), ({ score }) => score).sort();
  const lowest = scores[scores.length - mostPairs] ?? 0;
  let better = 0;
  for (let at = scores.length - mostPairs; at < scores.length; at++)
    if ((scores[at] ?? 0) > lowest) better += 1;
  let equals = mostPairs - better;
  for (const [key, { score }] of pairs) {
    if (score < lowest || (score === lowest && equals-- <= 0)) pairs.delete(key);
  }
  return lowest;
}

async function* buckets(vectors: readonly NodeVector[], turns: Turns): AsyncGenerator<NodeVector[]> {
  const dimension = vectors[0]?.vector.length ?? 0;
  const planeCount = Math.max(1, Math.round(Math.log2(vectors.length / bucketSize)));
  // Always the same planes, so that the same graph gives the same answer.
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  for (let table = 0; table < tables; table++) {
    const planes = Array.from({ length: planeCount }, () => Float32Array.from({ length: dimension }, random));
    const found = new Map<number, NodeVector[]>();
    for (const vector of vectors) {
      if (turns.due) await turns.give();
      const side = planes.reduce((bits, plane) => bits * 2 + (dot(plane, vector.vector) > 0 ? 1 : 0), 0);
      const bucket = found.get(side);
      if (bucket === undefined) found.set(side, [vector]);
      else bucket.push(vector);
    }
    yield* found.values();
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let axis = 0; axis < a.length; axis++) sum += (a[axis] ?? 0) * (b[axis] ?? 0);
  return sum;
}

import type { Deadline } from '../../bounds/deadline.js';
import { Semaphore } from '../../bounds/semaphore.js';
import { TimeSlice } from '../../bounds/time-slice.js';
import type { RedactableText } from '../../model/error.js';
import type { Node } from '../../model/node.js';
import type { NodePairsRequest } from '../../store/read-requests.js';
import { type NearNodePairs, type NodePair, nodePairSlack } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import type { VectorSpace } from '../../store/vector-store.js';
import { normalizeVector } from '../embedders/embedder.js';
import type { KnownSpaces } from '../embedding/embedding-spaces.js';

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

/** What the scores of a perspective are lowered by. */
interface ComparedSpace {
  readonly space: VectorSpace;
  readonly near: NearNodePairs;
}

/** Pairs of nodes without an edge whose observations are most similar, from the best perspective. */
export async function similarNodes(
  reader: Reader,
  spaces: KnownSpaces,
  { limit = 20, minScore = 0.75, deadline }: SimilarPairsRequest = {},
): Promise<SimilarNodesResult> {
  if (!spaces.known) return { pairs: [], degraded: spaces.reason, warnings: [] };
  // If there are enough of these, they are the best of all, and far fewer had to be compared exactly.
  if (minScore < closeScore) {
    const close = await comparePairs(reader, spaces.spaces, { limit, minScore: closeScore, deadline });
    if (close.pairs.length >= limit || close.compared.some(({ near }) => near.outOfTime))
      return resultOf(close);
  }
  return resultOf(await comparePairs(reader, spaces.spaces, { limit, minScore, deadline }));
}

/** In most graphs, few pairs are so similar. */
const closeScore = 0.7;

interface ComparedPairs {
  readonly compared: readonly ComparedSpace[];
  readonly pairs: readonly SimilarNodePair[];
  readonly limit: number;
  /** Whether pairs that the store left out may be similar enough. */
  readonly hasMore: boolean;
  /** Of the graph. */
  readonly nodes: number;
}

async function comparePairs(
  reader: Reader,
  spaces: readonly VectorSpace[],
  { limit, minScore, deadline }: { limit: number; minScore: number; deadline: Deadline | undefined },
): Promise<ComparedPairs> {
  const compared = await compareSpaces(reader, spaces, { minScore, deadline });
  const scores = new PairScores(reader, compared, minScore);
  const pairs = await scores.pairsWithoutEdge(limit);
  const { nodes } = await reader.counts();
  return { compared, pairs, limit, hasMore: scores.hasMore, nodes };
}

/** So many perspectives at a time: the store reads some while it compares others. */
const spacesAtOnce = 4;

/** When the time is over, no other perspective is begun. */
async function compareSpaces(
  reader: Reader,
  spaces: readonly VectorSpace[],
  request: NodePairsRequest,
): Promise<ComparedSpace[]> {
  const turns = new Semaphore(spacesAtOnce);
  let isOutOfTime = false;
  const compare = async (space: VectorSpace) => {
    if (isOutOfTime) return [];
    const near = await reader.nearNodePairs(space, request);
    isOutOfTime ||= near.outOfTime;
    return [{ space, near }];
  };
  // None may use the reader after this.
  const ended = await Promise.allSettled(spaces.map((space) => turns.run(() => compare(space))));
  return ended.flatMap((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

function resultOf({ compared, pairs, limit, hasMore, nodes }: ComparedPairs): SimilarNodesResult {
  return { pairs, warnings: comparisonWarnings(nodes, compared, hasMore && pairs.length < limit) };
}

class PairScores {
  readonly #reader: Reader;
  readonly #compared: readonly ComparedSpace[];
  readonly #minScore: number;
  /** The lowest mean cosine of all perspectives: what an instruction adds to that is taken away. */
  readonly #lowest: number;

  constructor(reader: Reader, compared: readonly ComparedSpace[], minScore: number) {
    this.#reader = reader;
    this.#compared = compared;
    this.#minScore = minScore;
    // One vector alone has no mean.
    const means = compared.flatMap(({ near }) => (near.compared < 2 ? [] : [near.meanCosine]));
    this.#lowest = means.length === 0 ? 0 : Math.min(...means);
  }

  get hasMore(): boolean {
    return this.#compared.some(
      ({ near }) =>
        near.leastKnown !== undefined &&
        this.#lowered(near.leastKnown, near) >= this.#minScore - nodePairSlack,
    );
  }

  async pairsWithoutEdge(limit: number): Promise<SimilarNodePair[]> {
    const proposed = await this.#proposed();
    const portion = Math.max(50, limit * 2);
    let found: SimilarNodePair[] = [];
    for (let at = 0; at < proposed.length; at += portion) {
      // A later pair could only be better by what its score is off.
      const last = found[limit - 1]?.similarity ?? Number.NEGATIVE_INFINITY;
      const isNearly = (proposed[at]?.score ?? 0) + 2 * nodePairSlack >= last;
      if (found.length >= limit && (!isNearly || found.length > limit + maxNearlySame)) break;
      found = found.concat(await this.#checked(proposed.slice(at, at + portion))).sort(bySimilarity);
    }
    return found.slice(0, limit);
  }

  #lowered(cosine: number, { meanCosine }: NearNodePairs): number {
    return cosine - (meanCosine - this.#lowest);
  }

  /** From the best perspective, best first. */
  async #proposed(): Promise<NodePair[]> {
    const slice = new TimeSlice();
    const best = new Map<string, NodePair>();
    for (const { near } of this.#compared) {
      for (const pair of near.pairs) {
        if (slice.isOver) await slice.yieldToOthers();
        const key = `${pair.a} ${pair.b}`;
        const score = Math.max(-1, this.#lowered(pair.score, near));
        if (score >= this.#minScore - nodePairSlack && score > (best.get(key)?.score ?? -2))
          best.set(key, { ...pair, score });
      }
    }
    return [...best.values()].sort((x, y) => y.score - x.score || x.a - y.a || x.b - y.b);
  }

  /** Those that are visible, unrelated and similar enough, with their exact scores. */
  async #checked(pairs: readonly NodePair[]): Promise<SimilarNodePair[]> {
    const ids = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
    const related = new Set(
      (await this.#reader.edgesOf(ids)).flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]),
    );
    const nodes = new Map((await this.#reader.nodesById(ids)).map((node) => [node.id, node]));
    const unrelated = pairs.filter(({ a, b }) => !related.has(`${a} ${b}`));
    const cosines = await this.#cosines(unrelated);
    return unrelated.flatMap(({ a: first, b: second }, index) => {
      const [a, b] = [nodes.get(first), nodes.get(second)];
      const similarity = cosines[index];
      const isSimilar = similarity !== undefined && similarity >= this.#minScore;
      return a === undefined || b === undefined || !isSimilar ? [] : [{ a, b, similarity }];
    });
  }

  /** Of each pair, from the perspective where it is highest; undefined without a perspective that has both vectors. */
  async #cosines(pairs: readonly NodePair[]): Promise<(number | undefined)[]> {
    const best = pairs.map((): number | undefined => undefined);
    const ids = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
    for (const { space, near } of this.#compared) {
      const vectors = new Map(
        (await this.#reader.nodeVectors(space, ids)).flatMap(({ node, vector }) => {
          const normal = normalizeVector(vector);
          return normal.some((value) => value !== 0) ? [[node, normal]] : [];
        }),
      );
      for (const [index, { a, b }] of pairs.entries()) {
        const [one, other] = [vectors.get(a), vectors.get(b)];
        if (one === undefined || other === undefined) continue;
        best[index] = Math.max(best[index] ?? -1, this.#lowered(cosineOf(one, other), near));
      }
    }
    return best;
  }
}

/** Of pairs that are as similar as the last one wanted, not many more need be checked. */
const maxNearlySame = 200;

function bySimilarity(x: SimilarNodePair, y: SimilarNodePair): number {
  return y.similarity - x.similarity || x.a.id - y.a.id || x.b.id - y.b.id;
}

/** So near to 1 are the cosines of equal vectors, whose numbers are rounded. */
const rounding = 1e-6;

/** Of vectors of length 1. */
function cosineOf(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let axis = 0; axis < a.length; axis++) sum += (a[axis] ?? 0) * (b[axis] ?? 0);
  return sum > 1 - rounding ? 1 : sum;
}

function comparisonWarnings(
  nodes: number,
  compared: readonly ComparedSpace[],
  hasMore: boolean,
): readonly string[] {
  const said: string[] = [];
  const spaces = compared.map(({ near }) => near);
  const most = Math.max(0, ...spaces.map((near) => near.compared));
  const newest = Math.max(0, ...spaces.map((near) => near.nodes));
  if (newest > 0 && nodes > newest) said.push(`Only the newest ${newest} nodes were compared.`);
  if (spaces.some(({ outOfTime }) => outOfTime))
    said.push(
      `Comparing ${most} of ${nodes} nodes took too long; some similar pairs are missing. The next call continues.`,
    );
  else if (!spaces.every(({ comparedAll }) => comparedAll))
    said.push(`Not every pair of ${most} nodes was compared; some similar pairs may be missing.`);
  if (hasMore) said.push('There are more similar pairs; most of the most similar ones are already related.');
  return said;
}

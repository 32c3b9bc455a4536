import { nodePairSlack } from '../../../read-results.js';
import type { NodeChunk } from '../../../vector-store.js';
import { countKept, leastKept } from './best-pairs.js';
import {
  type NearPairs,
  type NearPairsRequest,
  PairSearch,
  type SearchModes,
  type SearchOptions,
  usualModes,
} from './find-near-pairs.js';
import { NodeMatrix } from './node-matrix.js';
import { chunkOf, encodeChunk, putChunk } from './saved/node-chunks.js';
import type { PairLimits, SavedPairs, SavedSearch } from './saved/saved-pairs.js';

/** Up to so many comparisons, comparing changed nodes with all others costs less than starting again. */
const fewComparisons = 200_000_000;
/** Up to so many, if they are also few of all. */
const maxComparisons = 1_000_000_000;
const maxShare = 1 / 4;
/** Up to so many, changed nodes are compared for each request that wants only better pairs: far fewer vectors have to be read. */
const fewUpdates = 50_000_000;

/** A complete search, as of some time. */
interface FoundPairs {
  readonly limits: PairLimits;
  readonly pairs: NearPairs;
  /** Pairs below this score are not known: too many were better. */
  readonly least: number;
}

/** How a search went on. */
interface SearchProgress {
  readonly isDone: boolean;
  /** Nodes whose vectors it needs to go on. */
  readonly missing: readonly number[];
}

/**
 * The vectors of nodes and the near pairs among them. Pairs are kept once they are found: later only nodes that changed
 * are compared, and a search that ran out of time goes on where it stopped, also in another process.
 */
export class NodePairs {
  readonly #matrix: NodeMatrix;
  readonly #modes: SearchModes;
  /** Nodes put or removed since the search began. */
  readonly #changed = new Set<number>();
  /** How often nodes were put or removed. */
  #changes = 0;
  readonly #unsavedChunks = new Set<number>();
  #unfinished: { readonly limits: PairLimits; readonly search: PairSearch } | undefined;
  #found: FoundPairs | undefined;
  /** Compares the changed nodes, as of some number of changes; for a higher score only, the found pairs stay as they are. */
  #update: { readonly changes: number; readonly minScore: number; readonly search: PairSearch } | undefined;

  /** @param modes For tests. */
  constructor(dimension: number, modes: SearchModes = usualModes) {
    this.#matrix = new NodeMatrix(dimension);
    this.#modes = modes;
  }

  /** Undefined if the chunks do not fit. */
  static load(
    { dimension, size, sum, changed, search }: SavedPairs,
    chunks: readonly NodeChunk[],
    modes?: SearchModes,
  ): NodePairs | undefined {
    const pairs = new NodePairs(dimension, modes);
    if (!chunks.every((chunk) => putChunk(pairs.#matrix, chunk)) || pairs.size !== size) return undefined;
    pairs.#matrix.setSum(sum);
    for (const node of changed) pairs.#changed.add(node);
    if (search !== undefined) pairs.#resume(search);
    return pairs;
  }

  get size(): number {
    return this.#matrix.size;
  }

  put(node: number, vector: Float32Array): void {
    this.#matrix.put(node, vector);
    this.#recordChange(node);
  }

  remove(node: number): void {
    this.#matrix.remove(node);
    this.#recordChange(node);
  }

  /** Adds the vector that a saved node has; if it is not the one that was saved, the node has changed. */
  fill(node: number, vector: Float32Array): void {
    if (!this.#matrix.fill(node, vector)) this.put(node, vector);
  }

  /** Adds the vector that a saved node had, if that is still known, before the node is put or removed. */
  recall(node: number, vector: Float32Array): void {
    this.#matrix.fill(node, vector);
  }

  /** Goes on until all pairs are known, vectors are missing, or the time is over. */
  advance({ until, ...limits }: NearPairsRequest): SearchProgress {
    for (;;) {
      const search = this.#isUsable(this.#found, limits)
        ? this.#searchChanged(this.#found, limits)
        : this.#searchAll(limits);
      if (search === undefined) return { isDone: true, missing: [] };
      if (!search.continue(until)) return { isDone: false, missing: search.missing };
      if (this.#isPartial(search)) return { isDone: true, missing: [] };
      this.#finish(search);
    }
  }

  /** What is known of the pairs; `advance` before. */
  pairs(limits: PairLimits): WantedPairs {
    const { pairs, least } = this.#known(limits);
    return { ...pairsFrom(pairs, least, limits), meanCosine: this.#matrix.meanCosine };
  }

  find(request: NearPairsRequest): WantedPairs {
    this.advance(request);
    return this.pairs(request);
  }

  /** What another process needs to go on, and the chunks that have changed since it was last saved. */
  save(): { readonly saved: SavedPairs; readonly chunks: readonly NodeChunk[] } {
    const { dimension, size, sum } = this.#matrix;
    const search = this.#savedSearch();
    // What has not begun begins with all nodes.
    const changed = search === undefined ? [] : [...this.#changed];
    const chunks = [...this.#unsavedChunks].map((chunk) => encodeChunk(this.#matrix, chunk));
    this.#unsavedChunks.clear();
    return { saved: { dimension, size, sum, changed, search }, chunks };
  }

  #search(limits: PairLimits, options: Omit<SearchOptions, 'modes'> = {}): PairSearch {
    return new PairSearch(this.#matrix, limits, { ...options, modes: this.#modes });
  }

  #recordChange(node: number): void {
    this.#changed.add(node);
    this.#changes += 1;
    this.#unsavedChunks.add(chunkOf(node));
  }

  #savedSearch(): SavedSearch | undefined {
    if (this.#found !== undefined) return { ...this.#found, next: undefined };
    const next = this.#unfinished?.search.nextNode;
    if (this.#unfinished === undefined || next === undefined) return undefined;
    const { limits, search } = this.#unfinished;
    const pairs = search.result();
    return { limits, pairs, least: leastKnown(pairs, limits, Number.NEGATIVE_INFINITY), next };
  }

  #resume({ limits, pairs, least, next }: SavedSearch): void {
    if (next === undefined) this.#found = { limits, pairs, least };
    else
      this.#unfinished = {
        limits,
        search: this.#search(limits, { resumed: { next, pairs } }),
      };
  }

  /** What was found for a lower score serves a higher one, and the best serve all if there were too many. */
  #isUsable<T extends { readonly limits: PairLimits; readonly pairs?: NearPairs }>(
    earlier: T | undefined,
    { minScore, most }: PairLimits,
  ): earlier is T {
    const comparisons = this.#changed.size * this.size;
    return (
      earlier !== undefined &&
      (earlier.limits.minScore <= minScore || earlier.pairs?.cut === true) &&
      earlier.limits.most === most &&
      (comparisons <= fewComparisons || comparisons <= Math.min(maxComparisons, this.size ** 2 * maxShare))
    );
  }

  #searchAll(limits: PairLimits): PairSearch {
    this.#found = undefined;
    this.#update = undefined;
    if (!this.#isUsable(this.#unfinished, limits)) {
      this.#changed.clear();
      this.#unfinished = { limits, search: this.#search(limits) };
    }
    return this.#unfinished.search;
  }

  /** Undefined if nothing has changed. */
  #searchChanged(found: FoundPairs, limits: PairLimits): PairSearch | undefined {
    if (this.#changed.size === 0) return undefined;
    const isFew = this.#changed.size * this.size <= fewUpdates;
    const minScore = Math.max(leastWanted(found), isFew ? limits.minScore : -1);
    if (this.#update?.changes !== this.#changes || this.#update.minScore > minScore) {
      const only = new Set(this.#changed);
      const search = this.#search({ minScore, most: limits.most }, { only });
      this.#update = { changes: this.#changes, minScore, search };
    }
    return this.#update.search;
  }

  /** Whether it finds fewer pairs than are wanted of all nodes. */
  #isPartial(search: PairSearch): boolean {
    const update = search === this.#update?.search ? this.#update : undefined;
    return update !== undefined && this.#found !== undefined && update.minScore > leastWanted(this.#found);
  }

  #finish(search: PairSearch): void {
    if (search === this.#unfinished?.search) {
      const { limits } = this.#unfinished;
      const pairs = search.result();
      this.#unfinished = undefined;
      this.#found = { limits, pairs, least: leastKnown(pairs, limits, Number.NEGATIVE_INFINITY) };
    } else if (this.#found !== undefined) {
      const { limits, least, pairs: earlier } = this.#found;
      const pairs = joinPairs(this.#withoutChanged(earlier), search.result(), least, limits.most);
      this.#update = undefined;
      this.#changed.clear();
      // If most of the best pairs are gone, the next best are wanted.
      const isShort = earlier.cut && pairs.scores.length < earlier.scores.length / 2;
      this.#found = isShort ? undefined : { limits, pairs, least: leastKnown(pairs, limits, least) };
    }
  }

  #known(limits: PairLimits): Pick<FoundPairs, 'pairs' | 'least'> {
    if (!this.#isUsable(this.#found, limits)) {
      const search = this.#unfinished?.search ?? this.#search(limits);
      const pairs = search.result();
      return {
        pairs: { ...this.#withoutChanged(pairs), outOfTime: true, comparedAll: false },
        least: leastKnown(pairs, limits, Number.NEGATIVE_INFINITY),
      };
    }
    const { pairs, least } = this.#found;
    if (this.#changed.size === 0) return this.#found;
    const update = this.#searchChanged(this.#found, limits)?.result() ?? {
      ...pairs,
      a: [],
      b: [],
      scores: [],
    };
    const joined = joinPairs(this.#withoutChanged(pairs), update, least, limits.most);
    return { pairs: joined, least: leastKnown(joined, limits, least) };
  }

  #withoutChanged(pairs: NearPairs): NearPairs {
    return selectPairs(pairs, (a, b) => !this.#changed.has(a) && !this.#changed.has(b));
  }
}

export interface WantedPairs extends NearPairs {
  /** Not all pairs below this score are known; undefined if all are. */
  readonly least: number | undefined;
}

/** Those of at least this score; they are cut if more of them were dropped, not if only less similar ones were. */
export function pairsFrom(pairs: NearPairs, least: number, { minScore, most }: PairLimits): WantedPairs {
  const bound = minScore - nodePairSlack;
  const wanted = selectPairs(pairs, (_, __, score) => score >= bound);
  // If they are as many as are kept, some of the lowest score were dropped.
  const isCut = least > bound || (least === bound && pairs.scores.length >= most);
  const cut = pairs.cut && isCut;
  return { ...wanted, cut, least: cut ? least : undefined };
}

/** Pairs of changed nodes are wanted from this score on, as far as those of others are known. */
function leastWanted({ limits, least }: FoundPairs): number {
  return Math.max(limits.minScore, least + nodePairSlack);
}

function leastKnown({ cut, scores }: NearPairs, { most }: PairLimits, before: number): number {
  return cut ? Math.max(before, leastKept(scores, most)) : before;
}

function selectPairs(
  pairs: NearPairs,
  isWanted: (a: number, b: number, score: number) => boolean,
): NearPairs {
  const rows = pairs.scores.flatMap((score, row) =>
    isWanted(pairs.a[row] ?? 0, pairs.b[row] ?? 0, score) ? [row] : [],
  );
  const take = (values: readonly number[]) => rows.map((row) => values[row] ?? 0);
  return { ...pairs, a: take(pairs.a), b: take(pairs.b), scores: take(pairs.scores) };
}

/** The best of both; they have no pair in common. */
function joinPairs(earlier: NearPairs, added: NearPairs, least: number, most: number): NearPairs {
  const pairs = [earlier, added].flatMap(({ a, b, scores }) =>
    scores.flatMap((score, row) => (score < least ? [] : [{ a: a[row] ?? 0, b: b[row] ?? 0, score }])),
  );
  pairs.sort((p, q) => q.score - p.score || p.a - q.a || p.b - q.b);
  const kept = countKept(
    pairs.map(({ score }) => score),
    most,
  );
  const best = pairs.slice(0, kept);
  return {
    a: best.map(({ a }) => a),
    b: best.map(({ b }) => b),
    scores: best.map(({ score }) => score),
    comparedAll: earlier.comparedAll && added.comparedAll,
    outOfTime: added.outOfTime,
    cut: earlier.cut || added.cut || pairs.length > kept,
    meanCosine: added.meanCosine,
  };
}

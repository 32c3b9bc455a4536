import { nodePairSlack } from '../../../read-results.js';
import { type NearPairs, type NearPairsRequest, PairSearch } from './find-near-pairs.js';
import { NodeMatrix } from './node-matrix.js';

/** Up to so many comparisons, comparing changed nodes with all others costs less than starting again. */
const maxComparisons = 200_000_000;

type PairLimits = Omit<NearPairsRequest, 'until'>;

/** A complete search, as of some time. */
interface FoundPairs {
  readonly limits: PairLimits;
  readonly pairs: NearPairs;
  /** Pairs below this score are not known: too many were better. */
  readonly least: number;
}

/**
 * The vectors of nodes and the near pairs among them. Pairs are kept once they are found: later only nodes that changed
 * are compared, and a search that ran out of time goes on where it stopped.
 */
export class NodePairs {
  readonly #matrix: NodeMatrix;
  /** Nodes put or removed since the search began. */
  readonly #changed = new Set<number>();
  #unfinished: { readonly limits: PairLimits; readonly search: PairSearch } | undefined;
  #found: FoundPairs | undefined;

  constructor(dimension: number) {
    this.#matrix = new NodeMatrix(dimension);
  }

  get size(): number {
    return this.#matrix.size;
  }

  put(node: number, vector: Float32Array): void {
    this.#matrix.put(node, vector);
    this.#changed.add(node);
  }

  remove(node: number): void {
    this.#matrix.remove(node);
    this.#changed.add(node);
  }

  find({ until, ...limits }: NearPairsRequest): NearPairs {
    const pairs = this.#isUsable(this.#found, limits)
      ? this.#update(this.#found, until)
      : this.#searchAll(limits, until);
    const wanted = selectPairs(pairs, (_, __, score) => score >= limits.minScore - nodePairSlack);
    return { ...wanted, meanCosine: this.#matrix.meanCosine };
  }

  /** What was found for a lower score serves a higher one. */
  #isUsable<T extends { readonly limits: PairLimits }>(
    earlier: T | undefined,
    { minScore, most }: PairLimits,
  ): earlier is T {
    return (
      earlier !== undefined &&
      earlier.limits.minScore <= minScore &&
      earlier.limits.most === most &&
      this.#changed.size * this.size <= maxComparisons
    );
  }

  #searchAll(limits: PairLimits, until: number): NearPairs {
    this.#found = undefined;
    if (!this.#isUsable(this.#unfinished, limits)) {
      this.#changed.clear();
      this.#unfinished = { limits, search: new PairSearch(this.#matrix, limits) };
    }
    const { search, limits: searched } = this.#unfinished;
    const isDone = search.continue(until);
    const pairs = search.result();
    if (!isDone) return this.#withoutChanged(pairs);
    this.#unfinished = undefined;
    this.#found = { limits: searched, pairs, least: leastKnown(pairs, Number.NEGATIVE_INFINITY) };
    return this.#update(this.#found, until);
  }

  /** Compares the nodes that have changed since. */
  #update({ limits, pairs: earlier, least }: FoundPairs, until: number): NearPairs {
    if (this.#changed.size === 0) return earlier;
    const search = new PairSearch(this.#matrix, limits, this.#changed);
    const isDone = search.continue(until);
    const pairs = joinPairs(this.#withoutChanged(earlier), search.result(), least, limits.most);
    if (!isDone) return pairs;
    // If most of the best pairs are gone, the next best are wanted.
    if (earlier.cut && pairs.scores.length < limits.most / 2) return this.#searchAll(limits, until);
    this.#changed.clear();
    this.#found = { limits, pairs, least: leastKnown(pairs, least) };
    return pairs;
  }

  #withoutChanged(pairs: NearPairs): NearPairs {
    return selectPairs(pairs, (a, b) => !this.#changed.has(a) && !this.#changed.has(b));
  }
}

function leastKnown({ cut, scores }: NearPairs, before: number): number {
  return cut ? Math.max(before, scores.at(-1) ?? before) : before;
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
  const best = pairs.slice(0, most);
  return {
    a: best.map(({ a }) => a),
    b: best.map(({ b }) => b),
    scores: best.map(({ score }) => score),
    comparedAll: earlier.comparedAll && added.comparedAll,
    outOfTime: added.outOfTime,
    cut: earlier.cut || added.cut || pairs.length > most,
    meanCosine: added.meanCosine,
  };
}

import { nodePairSlack } from '../../../read-results.js';

/** The lower index first. */
interface IndexPair {
  readonly a: number;
  readonly b: number;
  readonly score: number;
}

/** Of less similar pairs than this, few are kept: to know all of them, very many would have to be compared exactly. */
const closeScore = 0.7 - nodePairSlack;
/** More than a request may want, since some of them are related. */
const mostBelow = 2_000;

/** The scores of pairs, best first. */
type Scores = readonly number[] | Float64Array;

/** The score from which all pairs are kept, unless that are too many. */
function floorOf(scores: Scores): number {
  return Math.min(closeScore, scores[mostBelow - 1] ?? Number.NEGATIVE_INFINITY);
}

/** How many pairs are kept, if at most so many may be. */
export function countKept(scores: Scores, most: number): number {
  const floor = floorOf(scores);
  const below = scores.findIndex((score: number) => score < floor);
  return Math.min(most, below < 0 ? scores.length : below);
}

/** The score from which all pairs are known, of some that were kept while others were dropped. */
export function leastKept(scores: Scores, most: number): number {
  return scores.length < most ? floorOf(scores) : (scores[most - 1] ?? Number.NEGATIVE_INFINITY);
}

/**
 * Keeps the best pairs, in whatever order and however often they are added; of equal ones those with the lowest
 * indexes.
 */
export class BestPairs {
  readonly #count: number;
  readonly #places: number;
  /** By a number for each pair that grows with its indexes. */
  readonly #scores = new Map<number, number>();
  /** When there are so many, some are dropped. */
  #full: number;
  #least: number;
  /** The last accepted pair among those with the lowest score. */
  #last = Number.POSITIVE_INFINITY;
  #cut = false;

  constructor(count: number, places: number, least: number) {
    this.#count = count;
    this.#places = places;
    this.#least = least;
    this.#full = this.#fullAt();
  }

  /** Lower scores need not be added. */
  get minScore(): number {
    return this.#least;
  }

  /** Whether pairs were dropped. */
  get truncated(): boolean {
    return this.#cut;
  }

  add(x: number, y: number, score: number): void {
    const pair = x < y ? x * this.#places + y : y * this.#places + x;
    if (score < this.#least || (score === this.#least && pair > this.#last)) return;
    this.#scores.set(pair, score);
    if (this.#scores.size >= this.#full) this.#dropOthers();
  }

  /** Best first. */
  inOrder(): IndexPair[] {
    this.#dropOthers();
    return [...this.#scores]
      .map(([pair, score]) => ({ a: Math.floor(pair / this.#places), b: pair % this.#places, score }))
      .sort((p, q) => q.score - p.score || p.a - q.a || p.b - q.b);
  }

  #dropOthers(): void {
    // Sorting plain numbers is ten times as fast as sorting pairs.
    const scores = Float64Array.from(this.#scores.values()).sort().reverse();
    const kept = countKept(scores, this.#count);
    if (kept < scores.length) this.#keep(scores, kept);
    this.#full = this.#fullAt();
  }

  #keep(scores: Float64Array, count: number): void {
    const least = leastKept(scores.subarray(0, count), this.#count);
    const equals = Float64Array.from(
      [...this.#scores].flatMap(([pair, score]) => (score === least ? [pair] : [])),
    ).sort();
    const better = scores.findIndex((score) => score <= least);
    const isFull = count === this.#count;
    const last = isFull ? (equals[count - better - 1] ?? 0) : Number.POSITIVE_INFINITY;
    for (const [pair, score] of this.#scores)
      if (score < least || (score === least && pair > last)) this.#scores.delete(pair);
    this.#least = least;
    this.#last = last;
    this.#cut = true;
  }

  /** So that sorting them costs little for each. */
  #fullAt(): number {
    const kept = this.#least < closeScore ? mostBelow : this.#count;
    return Math.min(2 * this.#count, 2 * Math.max(kept, this.#scores.size));
  }
}

/** The lower index first. */
interface IndexPair {
  readonly a: number;
  readonly b: number;
  readonly score: number;
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
  #least: number;
  /** The last accepted pair among those with the lowest score. */
  #last = Number.POSITIVE_INFINITY;
  #cut = false;

  constructor(count: number, places: number, least: number) {
    this.#count = count;
    this.#places = places;
    this.#least = least;
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
    if (this.#scores.size >= 2 * this.#count) this.#dropOthers();
  }

  /** Best first. */
  inOrder(): IndexPair[] {
    if (this.#scores.size > this.#count) this.#dropOthers();
    return [...this.#scores]
      .map(([pair, score]) => ({ a: Math.floor(pair / this.#places), b: pair % this.#places, score }))
      .sort((p, q) => q.score - p.score || p.a - q.a || p.b - q.b);
  }

  #dropOthers(): void {
    // Sorting plain numbers is ten times as fast as sorting pairs.
    const scores = Float64Array.from(this.#scores.values()).sort();
    const least = scores[scores.length - this.#count] ?? 0;
    const equals = Float64Array.from(
      [...this.#scores].flatMap(([pair, score]) => (score === least ? [pair] : [])),
    ).sort();
    const better = scores.length - firstAbove(scores, least);
    const last = equals[this.#count - better - 1] ?? 0;
    for (const [pair, score] of this.#scores)
      if (score < least || (score === least && pair > last)) this.#scores.delete(pair);
    this.#least = least;
    this.#last = last;
    this.#cut = true;
  }
}

/** The index of the first number above `bound`. */
function firstAbove(sorted: Float64Array, bound: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) > bound) to = middle;
    else from = middle + 1;
  }
  return from;
}

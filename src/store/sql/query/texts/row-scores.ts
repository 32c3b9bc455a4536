import { compareCodePoints } from '../../../../model/order.js';

export interface ScoredRow {
  readonly row: number;
  readonly name?: string;
  readonly type?: string;
}

/** The scores of rows by one text; rows that are missing have none. */
export class RowScores {
  readonly #rows: readonly ScoredRow[];
  readonly #scores: readonly number[];
  #byRow: ReadonlyMap<number, number> | undefined;

  /** @param scores Of the rows, in their order. */
  constructor(rows: readonly ScoredRow[], scores: readonly number[]) {
    const rounded = scoreRounding();
    this.#rows = rows;
    this.#scores = scores.map(rounded);
  }

  get size(): number {
    return this.#rows.length;
  }

  get(row: number): number | undefined {
    return this.byRow.get(row);
  }

  get byRow(): ReadonlyMap<number, number> {
    this.#byRow ??= new Map(this.#rows.map(({ row }, index) => [row, this.#scores[index] ?? 0]));
    return this.#byRow;
  }

  within(rows: ReadonlySet<number>): RowScores {
    const kept = this.#rows.flatMap(({ row }, index) => (rows.has(row) ? [index] : []));
    return this.#part(kept);
  }

  /**
   * At least this many of the best. Those that score the same as the last of them are among them, or, if `byName`, only
   * those that also come first by name and type.
   */
  best(count: number, byName: boolean): RowScores {
    if (this.#rows.length <= count) return this;
    const least = this.#scoreAt(count);
    const better: number[] = [];
    const equal: number[] = [];
    for (let index = 0; index < this.#scores.length; index++) {
      const score = this.#scores[index] ?? 0;
      if (score > least) better.push(index);
      else if (score === least) equal.push(index);
    }
    if (byName && better.length + equal.length > count) {
      if (this.#rows.every(({ name }) => name !== undefined))
        equal.length = selectFirst(equal, count - better.length, (a, b) => this.#compareNames(a, b));
    }
    return this.#part([...better, ...equal]);
  }

  /** The score of the row that is in this place, from 1 on. */
  #scoreAt(place: number): number {
    const counts = new Map<number, number>();
    for (const score of this.#scores) counts.set(score, (counts.get(score) ?? 0) + 1);
    let seen = 0;
    for (const [score, rows] of [...counts].sort(([a], [b]) => b - a)) {
      seen += rows;
      if (seen >= place) return score;
    }
    return Number.NEGATIVE_INFINITY;
  }

  #compareNames(a: number, b: number): number {
    const [one, other] = [this.#rows[a], this.#rows[b]];
    return (
      compareCodePoints(one?.name ?? '', other?.name ?? '') ||
      compareCodePoints(one?.type ?? '', other?.type ?? '')
    );
  }

  #part(indexes: readonly number[]): RowScores {
    return new RowScores(
      indexes.flatMap((index) => this.#rows[index] ?? []),
      indexes.map((index) => this.#scores[index] ?? 0),
    );
  }
}

/** Scores that differ only in how a sum was rounded are equal. Few scores are distinct, and rounding takes longer than a look-up. */
function scoreRounding(): (score: number) => number {
  const known = new Map<number, number>();
  return (score) => {
    const before = known.get(score);
    if (before !== undefined) return before;
    const rounded = Number(score.toPrecision(12));
    known.set(score, rounded);
    return rounded;
  };
}

/** Moves the first `count` by this order to the front, in any order (quickselect); returns `count`. */
function selectFirst(items: number[], count: number, compare: (a: number, b: number) => number): number {
  let [from, to] = [0, items.length - 1];
  while (from < to) {
    const pivot = items[(from + to) >> 1] ?? 0;
    let [low, high] = [from, to];
    while (low <= high) {
      while (compare(items[low] ?? 0, pivot) < 0) low += 1;
      while (compare(items[high] ?? 0, pivot) > 0) high -= 1;
      if (low > high) break;
      const moved = items[low] ?? 0;
      items[low] = items[high] ?? 0;
      items[high] = moved;
      low += 1;
      high -= 1;
    }
    if (count - 1 <= high) to = high;
    else if (count - 1 >= low) from = low;
    else break;
  }
  return count;
}

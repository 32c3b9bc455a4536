import { nodePairSlack } from '../../../read-results.js';
import { BestPairs } from './best-pairs.js';
import { type BitBounds, BitRows } from './bit-distances.js';
import type { NodeMatrix } from './node-matrix.js';

export interface NearPairsRequest {
  readonly minScore: number;
  /** At most so many pairs, the best. */
  readonly most: number;
  /** Milliseconds of `performance.now()` after which it returns what it has. */
  readonly until: number;
}

/** In parallel lists, best first; scores are off by a few thousandths. */
export interface NearPairs {
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly scores: readonly number[];
  /** Whether every pair was looked at. */
  readonly comparedAll: boolean;
  readonly outOfTime: boolean;
  /** Whether there were more pairs. */
  readonly cut: boolean;
  readonly meanCosine: number;
}

/** For fewer nodes, the vectors of every pair are compared. */
const vectorsUpTo = 2_000;
/** For fewer nodes, the bits of every pair; for more, those of each node with its nearest cells. */
const bitsUpTo = 120_000;
const headBits = 256;
const cellSize = 250;
/** Pairs that one division into cells separates are mostly together in another. */
const divisions = 3;
/** How many nodes each node is compared with in a division: a share of all, and not too few. */
const probedShare = 0.03;
const minProbed = 3_000;
/** How many standard deviations more bits may differ than expected; few pairs differ in more. */
const tolerance = 3;
/** Bits of a part of the numbers scatter more. */
const firstTolerance = 4;
/** After so many nodes it looks at the clock. */
const stepSize = 64;

/** @param allBitsUpTo For tests. */
export function findNearPairs(
  matrix: NodeMatrix,
  { until, ...request }: NearPairsRequest,
  allBitsUpTo = bitsUpTo,
): NearPairs {
  const search = new PairSearch(matrix, request, undefined, allBitsUpTo);
  search.continue(until);
  return search.result();
}

/** A comparison that can be interrupted, and continued although nodes have changed meanwhile. */
export class PairSearch {
  readonly #best: BestPairs;
  readonly #matrix: NodeMatrix;
  readonly #nodes: readonly number[];
  readonly #places: readonly number[];
  /** Ends where it looks at the clock. */
  readonly #steps: Iterator<void>;
  readonly #comparesAll: boolean;
  #isDone = false;
  #first = 0;
  #most = 0;
  #boundOf = Number.NaN;

  /** @param only Nodes that are compared with all others; left out, each is. */
  constructor(
    matrix: NodeMatrix,
    { minScore, most }: Omit<NearPairsRequest, 'until'>,
    only?: ReadonlySet<number>,
    allBitsUpTo = bitsUpTo,
  ) {
    const ordered = matrix.inOrder();
    const { size } = matrix;
    this.#matrix = matrix;
    this.#nodes = ordered.map(([node]) => node);
    this.#places = ordered.map(([, place]) => place);
    this.#best = new BestPairs(most, size, minScore - nodePairSlack);
    this.#comparesAll = size <= vectorsUpTo;
    const rows = this.#nodes.flatMap((node, row) => (only === undefined || only.has(node) ? [row] : []));
    this.#steps =
      size <= vectorsUpTo
        ? this.#compareVectors(rows)
        : size <= allBitsUpTo || only !== undefined
          ? this.#compareBits(rows)
          : this.#compareCells();
  }

  /** Returns whether there was time for all. */
  continue(until: number): boolean {
    while (!this.#isDone && performance.now() < until) this.#isDone = this.#steps.next().done === true;
    return this.#isDone;
  }

  /** What was found so far. */
  result(): NearPairs {
    const pairs = this.#best.inOrder();
    const nodeAt = (index: number) => this.#nodes[index] ?? 0;
    return {
      a: pairs.map(({ a }) => nodeAt(a)),
      b: pairs.map(({ b }) => nodeAt(b)),
      scores: pairs.map(({ score }) => score),
      comparedAll: this.#isDone && this.#comparesAll,
      outOfTime: !this.#isDone,
      cut: this.#best.truncated,
      meanCosine: this.#matrix.meanCosine,
    };
  }

  *#compareVectors(rows: readonly number[]): Generator<void> {
    const isAll = rows.length === this.#places.length;
    for (const [step, x] of rows.entries()) {
      if (step % stepSize === 0) yield;
      const score = this.#scoresOf(x);
      for (let y = isAll ? x + 1 : 0; y < this.#places.length; y++) if (y !== x) this.#add(x, y, score(y));
    }
  }

  *#compareBits(rows: readonly number[]): Generator<void> {
    const isAll = rows.length === this.#places.length;
    const bits = this.#bitRows(this.#places.map((_, index) => index));
    for (const [step, x] of rows.entries()) {
      if (step % stepSize === 0) yield;
      const found = bits.near(x, isAll ? x + 1 : 0, this.#bounds());
      if (found.length === 0) continue;
      const score = this.#scoresOf(x);
      for (const y of found) if (y !== x) this.#add(x, y, score(y));
    }
  }

  *#compareCells(): Generator<void> {
    for (let time = 0; time < divisions; time++) yield* this.#compareDivision(time / divisions);
  }

  /** @param offset Which nodes are pivots. */
  *#compareDivision(offset: number): Generator<void> {
    const count = this.#places.length;
    const pivots = this.#bitRows(
      Array.from({ length: Math.ceil(count / cellSize) }, (_, cell) =>
        Math.min(count - 1, Math.floor((cell + offset) * cellSize)),
      ),
    );
    const distances = (x: number) => pivots.distances(this.#matrix.bitsOf(this.#places[x] ?? 0));
    const homes = new Uint32Array(count);
    for (let x = 0; x < count; x++) {
      if (x % stepSize === 0) yield;
      homes[x] = indexOfLowest(distances(x));
    }
    const { rows, starts } = groupByCell(homes, pivots.rows);
    const bits = this.#bitRows(rows, starts);
    const most = Math.max(minProbed, Math.ceil(count * probedShare));
    for (let row = 0; row < count; row++) {
      if (row % stepSize === 0) yield;
      const x = rows[row] ?? 0;
      const found = bits.nearInCells(row, nearestCells(distances(x), starts, most), this.#bounds());
      // One of them is the node itself.
      if (found.length <= 1) continue;
      const score = this.#scoresOf(x);
      for (const other of found) {
        const y = rows[other] ?? 0;
        if (y !== x) this.#add(x, y, score(y));
      }
    }
  }

  #bitRows(indexes: ArrayLike<number>, cells?: Uint32Array): BitRows {
    const rows = new BitRows(indexes.length, this.#matrix.words, cells);
    for (let row = 0; row < indexes.length; row++)
      rows.put(row, this.#matrix.bitsOf(this.#places[indexes[row] ?? 0] ?? 0));
    return rows;
  }

  #scoresOf(x: number): (y: number) => number {
    const place = this.#places[x] ?? 0;
    const product = this.#matrix.bytes.productsWith(place);
    const factor = this.#matrix.factorOf(place);
    return (y) => {
      const other = this.#places[y] ?? 0;
      return product(other) * factor * this.#matrix.factorOf(other);
    };
  }

  #add(x: number, y: number, score: number): void {
    if (score >= this.#best.minScore) this.#best.add(x, y, score);
  }

  /** In how many bits a pair may differ that is similar enough. */
  #bounds(): BitBounds {
    const least = this.#best.minScore;
    if (least !== this.#boundOf) {
      this.#boundOf = least;
      const differing = Math.acos(Math.max(-1, Math.min(1, least))) / Math.PI;
      const boundOf = (bits: number, deviations: number) =>
        Math.ceil(bits * differing + deviations * Math.sqrt(bits * differing * (1 - differing)) + 1);
      this.#first = boundOf(headBits, firstTolerance);
      this.#most = boundOf(this.#matrix.words * 64, tolerance);
    }
    return { first: this.#first, most: this.#most };
  }
}

function indexOfLowest(numbers: Uint32Array): number {
  let lowest = 0;
  for (let at = 1; at < numbers.length; at++) if ((numbers[at] ?? 0) < (numbers[lowest] ?? 0)) lowest = at;
  return lowest;
}

/** Each node is at home in the cell of the nearest pivot, a node itself; the rows of a cell follow each other. */
function groupByCell(
  homes: Uint32Array,
  cells: number,
): { readonly rows: Uint32Array; readonly starts: Uint32Array } {
  const starts = new Uint32Array(cells + 1);
  for (const home of homes) starts[home + 1] = (starts[home + 1] ?? 0) + 1;
  for (let cell = 0; cell < cells; cell++) starts[cell + 1] = (starts[cell + 1] ?? 0) + (starts[cell] ?? 0);
  const next = starts.slice();
  const rows = new Uint32Array(homes.length);
  for (let x = 0; x < homes.length; x++) {
    const home = homes[x] ?? 0;
    rows[next[home] ?? 0] = x;
    next[home] = (next[home] ?? 0) + 1;
  }
  return { rows, starts };
}

/** The cells at the lowest distances that have at least so many rows together. */
function nearestCells(distances: Uint32Array, starts: Uint32Array, rows: number): Uint32Array {
  const byDistance = new Uint32Array(headBits + 1);
  for (let cell = 0; cell < distances.length; cell++) {
    const distance = distances[cell] ?? 0;
    byDistance[distance] = (byDistance[distance] ?? 0) + (starts[cell + 1] ?? 0) - (starts[cell] ?? 0);
  }
  let [most, within] = [0, byDistance[0] ?? 0];
  while (within < rows && most < headBits) {
    most += 1;
    within += byDistance[most] ?? 0;
  }
  const found = new Uint32Array(distances.length);
  let count = 0;
  for (let cell = 0; cell < distances.length; cell++)
    if ((distances[cell] ?? 0) <= most) found[count++] = cell;
  return found.subarray(0, count);
}

import { nodePairSlack } from '../../../read-results.js';
import { BestPairs, leastKept } from './best-pairs.js';
import { type BitBounds, BitRows, boundsFor } from './bit-distances.js';
import { groupByCell, indexOfLowest, nearestCells } from './cells.js';
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
  /** Whether every pair was compared, by vectors or by bits; by bits, very few similar ones are missed. */
  readonly comparedAll: boolean;
  readonly outOfTime: boolean;
  /** Whether there were more pairs. */
  readonly cut: boolean;
  readonly meanCosine: number;
}

export interface SearchModes {
  /** For fewer nodes, the vectors of every pair are compared. */
  readonly vectorsUpTo: number;
  /** For fewer nodes, the bits of every pair; for more, those of each node with its nearest cells. */
  readonly bitsUpTo: number;
}

export const usualModes: SearchModes = { vectorsUpTo: 2_000, bitsUpTo: 120_000 };
const cellSize = 250;
/** Pairs that one division into cells separates are mostly together in another. */
const divisions = 3;
/** How many nodes each node is compared with in a division: a share of all, and not too few. */
const probedShare = 0.03;
const minProbed = 3_000;
/** After so many nodes it looks at the clock. */
const stepSize = 64;
/** Nodes whose vectors are asked for at a time. */
const maxMissing = 5_000;

/** Where a search goes on that another process began. */
export interface SearchPosition {
  /** Pairs of which one node is lower were compared. */
  readonly next: number;
  readonly pairs: NearPairs;
}

/** A row, and others that differ from it in few bits. */
interface NearRows {
  readonly x: number;
  readonly near: Uint32Array;
}

export interface SearchOptions {
  /** Nodes that are compared with all others; left out, each is. */
  readonly only?: ReadonlySet<number>;
  readonly resumed?: SearchPosition;
  /** For tests. */
  readonly modes?: SearchModes;
}

/** @param modes For tests. */
export function findNearPairs(
  matrix: NodeMatrix,
  { until, ...request }: NearPairsRequest,
  modes?: SearchModes,
): NearPairs {
  const search = new PairSearch(matrix, request, modes === undefined ? {} : { modes });
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
  readonly #mode: 'vectors' | 'bits' | 'cells';
  readonly #wasCut: boolean;
  #missing: readonly number[] = [];
  /** The row that is compared next. */
  #next: number;
  #isDone = false;
  #bound: BitBounds = { first: 0, most: 0 };
  #boundOf = Number.NaN;

  constructor(
    matrix: NodeMatrix,
    { minScore, most }: Omit<NearPairsRequest, 'until'>,
    { only, resumed, modes = usualModes }: SearchOptions = {},
  ) {
    const ordered = matrix.inOrder();
    const { size } = matrix;
    this.#matrix = matrix;
    this.#nodes = ordered.map(([node]) => node);
    this.#places = ordered.map(([, place]) => place);
    const usesBits = size <= modes.bitsUpTo || only !== undefined;
    this.#mode = size <= modes.vectorsUpTo ? 'vectors' : usesBits ? 'bits' : 'cells';
    const goesOn = resumed !== undefined && this.#mode === 'bits' && only === undefined;
    // Below the last of too many pairs, not all are known.
    const known =
      goesOn && resumed.pairs.cut ? leastKept(resumed.pairs.scores, most) : Number.NEGATIVE_INFINITY;
    this.#best = new BestPairs(most, size, Math.max(minScore - nodePairSlack, known));
    const next = goesOn ? this.#nodes.findIndex((node) => node >= resumed.next) : 0;
    this.#next = next < 0 ? size : next;
    this.#wasCut = goesOn && resumed.pairs.cut;
    if (goesOn) this.#addKnown(resumed.pairs);
    if (this.#mode === 'cells') this.#steps = this.#compareCells();
    else {
      const rows = this.#nodes.flatMap((node, row) => (only === undefined || only.has(node) ? [row] : []));
      this.#steps =
        this.#mode === 'vectors'
          ? this.#compareVectors(rows)
          : only === undefined
            ? this.#compareAllBits()
            : this.#compareBitsOf(rows);
    }
  }

  /** Nodes whose vectors it needs to go on. */
  get missing(): readonly number[] {
    return this.#missing;
  }

  /** The node from which another process can go on; undefined if it has to start again. */
  get nextNode(): number | undefined {
    return this.#mode === 'bits' && this.#next > 0 ? this.#nodes[this.#next] : undefined;
  }

  /** Returns whether there was time for all, and nothing is missing. */
  continue(until: number): boolean {
    this.#missing = [];
    while (!this.#isDone && this.#missing.length === 0 && performance.now() < until)
      this.#isDone = this.#steps.next().done === true;
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
      comparedAll: this.#isDone && this.#mode !== 'cells',
      outOfTime: !this.#isDone,
      cut: this.#best.truncated || this.#wasCut,
      meanCosine: this.#matrix.meanCosine,
    };
  }

  #addKnown({ a, b, scores }: NearPairs): void {
    const rows = new Map(this.#nodes.map((node, row) => [node, row]));
    for (const [at, score] of scores.entries()) {
      const [x, y] = [rows.get(a[at] ?? 0), rows.get(b[at] ?? 0)];
      if (x !== undefined && y !== undefined) this.#best.add(x, y, score);
    }
  }

  /** Waits for the vectors of all nodes from this row on. */
  *#allVectors(row: number): Generator<void> {
    for (;;) {
      this.#missing = this.#matrix.withoutVector(this.#nodes[row] ?? Number.POSITIVE_INFINITY, maxMissing);
      if (this.#missing.length === 0) return;
      yield;
    }
  }

  *#compareVectors(rows: readonly number[]): Generator<void> {
    yield* this.#allVectors(0);
    const isAll = rows.length === this.#places.length;
    for (const [step, x] of rows.entries()) {
      if (step % stepSize === 0) yield;
      const score = this.#scoresOf(x);
      for (let y = isAll ? x + 1 : 0; y < this.#places.length; y++) if (y !== x) this.#add(x, y, score(y));
    }
  }

  *#compareAllBits(): Generator<void> {
    yield* this.#allVectors(this.#next);
    const bits = this.#bitRows(this.#places.map((_, index) => index));
    for (let step = 0; this.#next < this.#places.length; step++, this.#next++) {
      if (step % stepSize === 0) yield;
      const x = this.#next;
      const found = bits.near(x, x + 1, this.#bounds());
      if (found.length === 0) continue;
      const score = this.#scoresOf(x);
      for (const y of found) this.#add(x, y, score(y));
    }
  }

  /** Compares some with all; of the others, only the vectors of those that are near are needed. */
  *#compareBitsOf(rows: readonly number[]): Generator<void> {
    const bits = this.#bitRows(this.#places.map((_, index) => index));
    let waiting: NearRows[] = [];
    for (const [step, x] of rows.entries()) {
      if (step % stepSize === 0) yield;
      const found = bits.near(x, 0, this.#bounds()).filter((y) => y !== x);
      waiting.push(...this.#addKnownScores({ x, near: found }));
    }
    while (waiting.length > 0) {
      const unknown = new Set(waiting.flatMap(({ x, near }) => [x, ...near]));
      const missing = [...unknown].filter((row) => !this.#hasVector(row));
      this.#missing = missing.slice(0, maxMissing).map((row) => this.#nodes[row] ?? 0);
      yield;
      waiting = waiting.flatMap((rowsOf) => this.#addKnownScores(rowsOf));
    }
  }

  /** Returns what has to wait for vectors. */
  #addKnownScores({ x, near }: NearRows): NearRows[] {
    if (near.length === 0) return [];
    if (!this.#hasVector(x)) return [{ x, near }];
    const score = this.#scoresOf(x);
    const later = near.filter((y) => !this.#hasVector(y));
    for (const y of near) if (this.#hasVector(y)) this.#add(x, y, score(y));
    return later.length === 0 ? [] : [{ x, near: later }];
  }

  #hasVector(row: number): boolean {
    return this.#matrix.hasVector(this.#places[row] ?? 0);
  }

  *#compareCells(): Generator<void> {
    yield* this.#allVectors(0);
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
    const cosine = this.#matrix.cosinesWith(this.#places[x] ?? 0);
    return (y) => cosine(this.#places[y] ?? 0);
  }

  #add(x: number, y: number, score: number): void {
    if (score >= this.#best.minScore) this.#best.add(x, y, score);
  }

  /** In how many bits a pair may differ that is similar enough. */
  #bounds(): BitBounds {
    const least = this.#best.minScore;
    if (least !== this.#boundOf) {
      this.#boundOf = least;
      this.#bound = boundsFor(least, this.#matrix.words * 64);
    }
    return this.#bound;
  }
}

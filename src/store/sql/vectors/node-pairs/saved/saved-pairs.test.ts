import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NodeChunk } from '../../../../vector-store.js';
import { findNearPairs, type NearPairs, type SearchModes, usualModes } from '../find-near-pairs.js';
import { NodeMatrix } from '../node-matrix.js';
import { NodePairs } from '../node-pairs.js';
import { decodePairs, encodePairs } from './saved-pairs.js';

const forever = Number.MAX_SAFE_INTEGER;
const dimension = 5;
const most = 10_000;

type Step =
  | { readonly do: 'put'; readonly node: number; readonly vector: readonly number[] }
  | { readonly do: 'remove'; readonly node: number }
  | { readonly do: 'find'; readonly minScore: number; readonly until: number }
  | { readonly do: 'save' }
  | { readonly do: 'reload' };

// Of several chunks.
const node = fc.integer({ min: 1, max: 12 }).map((number) => number * 60);
const vector = fc.array(fc.constantFrom(-2, -1, 0.3, 1, 1.5), { minLength: dimension, maxLength: dimension });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('put' as const), node, vector }) },
  fc.record({ do: fc.constant('remove' as const), node }),
  fc.record({
    do: fc.constant('find' as const),
    minScore: fc.constantFrom(0, 0.3, 0.75),
    until: fc.constantFrom(0, forever),
  }),
  fc.record({ do: fc.constant('save' as const) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reload' as const) }) },
);

/** The vectors of nodes, as a database has them, and what a process holds and saves of their pairs. */
class Process {
  readonly vectors = new Map<number, Float32Array>();
  readonly #modes: SearchModes;
  readonly #chunks = new Map<number, NodeChunk>();
  #body: Uint8Array | undefined;
  /** The vectors when it was last saved. */
  #saved = new Map<number, Float32Array>();
  pairs: NodePairs;

  constructor(modes: SearchModes) {
    this.#modes = modes;
    this.pairs = new NodePairs(dimension, modes);
  }

  put(node: number, numbers: readonly number[]): void {
    this.#recall(node);
    this.vectors.set(node, Float32Array.from(numbers));
    this.pairs.put(node, Float32Array.from(numbers));
  }

  remove(node: number): void {
    this.#recall(node);
    this.vectors.delete(node);
    this.pairs.remove(node);
  }

  #recall(node: number): void {
    const before = this.vectors.get(node);
    if (before !== undefined) this.pairs.recall(node, before);
  }

  /** Reads vectors when they are missing, as long as there is time. */
  find(minScore: number, until: number): NearPairs {
    for (;;) {
      const { missing } = this.pairs.advance({ minScore, most, until });
      if (missing.length === 0) return this.pairs.pairs({ minScore, most });
      for (const each of missing)
        this.pairs.fill(each, this.vectors.get(each) ?? new Float32Array(dimension));
    }
  }

  save(): void {
    const { saved, chunks } = this.pairs.save();
    this.#body = encodePairs(saved);
    for (const chunk of chunks) this.#chunks.set(chunk.chunk, chunk);
    this.#saved = new Map(this.vectors);
  }

  /** Starts anew from what was saved, and reads what has changed since. */
  reload(): void {
    if (this.#body === undefined) return;
    const saved = decodePairs(this.#body);
    const chunks = [...this.#chunks.values()];
    const loaded = saved === undefined ? undefined : NodePairs.load(saved, chunks, this.#modes);
    if (loaded === undefined) throw new Error('It cannot be loaded.');
    this.pairs = loaded;
    for (const each of new Set([...this.#saved.keys(), ...this.vectors.keys()])) {
      const [before, now] = [this.#saved.get(each), this.vectors.get(each)];
      if (before === now) continue;
      if (before !== undefined) loaded.recall(each, before);
      loaded.remove(each);
      if (now !== undefined) loaded.put(each, now);
    }
  }
}

const matrixOf = (vectors: ReadonlyMap<number, Float32Array>) => {
  const matrix = new NodeMatrix(dimension);
  for (const [each, numbers] of vectors) matrix.put(each, numbers);
  return matrix;
};

const pairsOf = ({ a, b, scores }: NearPairs) => scores.map((score, row) => `${a[row]} ${b[row]} ${score}`);

describe('saved pairs', () => {
  test.each([
    ['vectors', usualModes],
    ['bits', { ...usualModes, vectorsUpTo: -1 }],
  ])('lead to what a search finds that starts anew, by %s', (_, modes) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom(0, 0.3, 0.75), (steps, minScore) => {
        const process = new Process(modes);
        for (const each of steps) {
          if (each.do === 'put') process.put(each.node, each.vector);
          else if (each.do === 'remove') process.remove(each.node);
          else if (each.do === 'find') process.find(each.minScore, each.until);
          else if (each.do === 'save') process.save();
          else process.reload();
        }
        const found = process.find(minScore, forever);
        const matrix = matrixOf(process.vectors);
        const request = { minScore, most, until: forever };
        const fresh = findNearPairs(matrix, request, modes);
        const exact = pairsOf(findNearPairs(matrix, request));
        expect(found.outOfTime).toBe(false);
        if (modes === usualModes) expect(pairsOf(found)).toEqual(exact);
        // By the bits for a lower score, pairs may be found that those for a higher one exclude.
        expect(pairsOf(found)).toEqual(expect.arrayContaining(pairsOf(fresh)));
        expect(exact).toEqual(expect.arrayContaining(pairsOf(found)));
        expect(found.meanCosine).toBeCloseTo(fresh.meanCosine, 6);
        expect(process.pairs.size).toBe(matrix.size);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a search that was interrupted goes on in another process, where nodes have changed', () => {
    const modes = { ...usualModes, vectorsUpTo: -1 };
    const process = new Process(modes);
    const numbersOf = (at: number) => [1, 2, 3, 4, 5].map((axis) => Math.sin(at * axis));
    for (let at = 1; at <= 400; at++) process.put(at, numbersOf(at));
    // A clock that lets it look at some nodes only.
    const clock = performance.now;
    let ticks = 0;
    performance.now = () => {
      ticks += 1;
      return ticks;
    };
    try {
      process.pairs.advance({ minScore: 0.7, most, until: 5 });
    } finally {
      performance.now = clock;
    }
    process.save();
    const saved = process.pairs.save().saved.search;
    expect(saved?.next).toBeGreaterThan(1);
    expect(saved?.next).toBeLessThan(400);
    process.put(3, numbersOf(500));
    process.put(401, numbersOf(4));
    process.remove(5);
    process.reload();
    const request = { minScore: 0.7, most, until: forever };
    const { meanCosine: _, ...found } = process.find(0.7, forever);
    const { meanCosine: __, ...fresh } = findNearPairs(matrixOf(process.vectors), request, modes);
    expect(found).toEqual(fresh);
  });

  test('of too many, the best serve requests for lower scores too', () => {
    const pairs = new NodePairs(dimension);
    for (let at = 1; at <= 20; at++) pairs.put(at, Float32Array.of(1, at / 100, 0, 0, 0));
    const few = { minScore: 0.9, most: 10, until: forever };
    expect(pairs.find(few).cut).toBe(true);
    pairs.advance({ ...few, minScore: 0.2, until: 0 });
    expect(pairs.find({ ...few, minScore: 0.2 })).toEqual(pairs.find(few));
  });

  test('of pairs that are not close, the best stay known although nodes change', () => {
    const process = new Process(usualModes);
    const numbersOf = (at: number) =>
      [1, 2, 3, 4, 5].map((axis) => Math.sin(at * axis * 1.7) + (axis === 1 ? 1 : 0));
    for (let at = 1; at <= 60; at++) process.put(at * 7, numbersOf(at));
    // In the other direction, so that they are close to few.
    for (let at = 61; at <= 110; at++)
      process.put(
        at * 7,
        numbersOf(at).map((value) => -value),
      );
    for (let round = 0; round < 5; round++) {
      const found = process.find(-1, forever);
      const fresh = findNearPairs(matrixOf(process.vectors), { minScore: -1, most, until: forever });
      expect(fresh.cut).toBe(true);
      expect(found.cut).toBe(true);
      expect(found.scores.length).toBeGreaterThan(1_500);
      const known = Math.min(found.scores.length, fresh.scores.length);
      expect(pairsOf(found).slice(0, known)).toEqual(pairsOf(fresh).slice(0, known));
      const close = (pairs: NearPairs) => pairs.scores.filter((score) => score >= 0.7).length;
      expect(close(process.find(0.7, forever))).toBe(close(fresh));
      process.save();
      if (round % 2 === 0) process.reload();
      process.put((round + 1) * 7, numbersOf(200 + round));
      process.remove((round + 90) * 7);
    }
  });

  test('a node that has another vector than when it was saved is compared again', () => {
    const process = new Process({ ...usualModes, vectorsUpTo: -1 });
    process.put(1, [1, 0, 0, 0, 0]);
    process.put(2, [0, 1, 0, 0, 0]);
    process.find(0.5, forever);
    process.save();
    process.reload();
    process.vectors.set(2, Float32Array.of(1, 0.1, 0, 0, 0));
    process.put(3, [1, 0, 0.1, 0, 0]);
    // Asking for all, since only what is near is read.
    expect(process.find(-1, forever).scores.filter((score) => score > 0.9).length).toBe(3);
  });

  test('what is damaged, or of another format, is not loaded', () => {
    const pairs = new NodePairs(dimension);
    for (let at = 1; at <= 5; at++) pairs.put(at * 100, Float32Array.of(1, at, 0, 0, 0));
    pairs.find({ minScore: 0.5, most, until: forever });
    const { saved, chunks } = pairs.save();
    const body = encodePairs(saved);
    expect(decodePairs(body)).toEqual(
      saved.search && {
        ...saved,
        search: { ...saved.search, pairs: { ...saved.search.pairs, meanCosine: 0 } },
      },
    );
    expect(decodePairs(body.subarray(0, 160))).toBeUndefined();
    expect(decodePairs(body.subarray(3))).toBeUndefined();
    expect(decodePairs(new Uint8Array())).toBeUndefined();
    // 1 to 3 are those of earlier versions, which made other bits.
    for (const format of [1, 2, 3, 99]) {
      const other = new Float64Array(body.slice().buffer);
      other[0] = format;
      expect(decodePairs(new Uint8Array(other.buffer))).toBeUndefined();
    }
    expect(NodePairs.load(saved, chunks)).toBeDefined();
    expect(NodePairs.load(saved, chunks.slice(1))).toBeUndefined();
    expect(
      NodePairs.load(
        saved,
        chunks.map((chunk) => ({ ...chunk, bits: chunk.bits.subarray(1) })),
      ),
    ).toBeUndefined();
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodePairSlack } from '../../../read-results.js';
import { BestPairs } from './best-pairs.js';
import { BitRows } from './bit-distances.js';
import { findNearPairs, type NearPairs, usualModes } from './find-near-pairs.js';
import { NodeMatrix } from './node-matrix.js';
import { VectorBits } from './vector-bits.js';

const forever = Number.MAX_SAFE_INTEGER;
const most = 10_000;

/** Few different numbers, so that some vectors are equal. */
const alikeVectors = fc
  .integer({ min: 1, max: 65 })
  .chain((dimension) =>
    fc.array(fc.array(fc.constantFrom(-2, -1, 0, 1, 1.5), { minLength: dimension, maxLength: dimension }), {
      maxLength: 25,
    }),
  )
  .map((vectors) => vectors.map((numbers) => Float32Array.from(numbers)));

/** Numbers around 0, always the same. */
function scatteredNumbers(): () => number {
  let state = 7;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
}

function scattered(count: number, dimension: number): Float32Array[] {
  const random = scatteredNumbers();
  return Array.from({ length: count }, () => Float32Array.from({ length: dimension }, random));
}

function matrixOf(vectors: readonly Float32Array[]): NodeMatrix {
  const matrix = new NodeMatrix(vectors[0]?.length ?? 1);
  for (const [index, vector] of vectors.entries()) matrix.put(index + 1, vector);
  return matrix;
}

function cosine(x: Float32Array, y: Float32Array): number {
  const product = x.reduce((sum, value, axis) => sum + value * (y[axis] ?? 0), 0);
  return product / (Math.hypot(...x) * Math.hypot(...y));
}

const keysOf = ({ a, b }: NearPairs) => a.map((first, index) => `${first} ${b[index]}`);

/** Vectors of which every tenth is near to an earlier one, its neighbour, at a cosine from about 0.75 to 1. */
function withNeighbours(count: number, dimension: number) {
  const random = scatteredNumbers();
  const vectors: Float32Array[] = [];
  const neighbours: number[] = [];
  for (let at = 0; at < count; at++) {
    const neighbour = Math.floor((random() + 0.5) * at);
    const other = vectors[neighbour];
    const share = at % 10 === 9 ? 0.45 * (random() + 0.5) : 1;
    neighbours.push(neighbour);
    vectors.push(
      Float32Array.from(
        { length: dimension },
        (_, axis) => (1 - share) * (other?.[axis] ?? 0) + share * random(),
      ),
    );
  }
  return { vectors, neighbours };
}

/** One number of each has this share of the squares. Every two have about this cosine, others about the share. */
function withLargeNumber(count: number, dimension: number, share: number, cosineOfPairs: number) {
  const numbers = scattered(count, dimension).map((vector) => withLength(vector, Math.sqrt(1 - share)));
  const rest = (cosineOfPairs - share) / (1 - share);
  return numbers.map((own, at) => {
    const near = at % 2 === 0 ? own : (numbers[at - 1] ?? own);
    const vector = near.map((value, axis) => value * rest + (own[axis] ?? 0) * Math.sqrt(1 - rest ** 2));
    const whole = withLength(at % 2 === 0 ? own : vector, Math.sqrt(1 - share));
    whole[dimension >> 1] = Math.sqrt(share);
    return whole;
  });
}

function withLength(vector: Float32Array, length: number): Float32Array {
  const factor = length / Math.hypot(...vector);
  return vector.map((value) => value * factor);
}

describe('near pairs', () => {
  test('of few vectors they are all pairs that are alike enough, best first', () => {
    fc.assert(
      fc.property(alikeVectors, fc.constantFrom(-1, 0, 0.3, 0.75), (vectors, minScore) => {
        const near = findNearPairs(matrixOf(vectors), { minScore, most, until: forever });
        expect([near.comparedAll, near.outOfTime, near.cut]).toEqual([true, false, false]);
        const found = new Map(keysOf(near).map((key, index) => [key, near.scores[index] ?? 0]));
        expect(found.size).toBe(near.scores.length);
        for (const [x, one] of vectors.entries()) {
          for (const [y, other] of vectors.entries()) {
            const isSomething = one.some((value) => value !== 0) && other.some((value) => value !== 0);
            if (y <= x) continue;
            const score = isSomething ? cosine(one, other) : -2;
            const answered = found.get(`${x + 1} ${y + 1}`);
            if (answered !== undefined) expect(Math.abs(answered - score)).toBeLessThan(nodePairSlack);
            else expect(score).toBeLessThan(minScore);
          }
        }
        expect(near.scores).toEqual(near.scores.toSorted((x, y) => y - x));
      }),
    );
  });

  test('of many vectors, 99 of 100 that are similar enough are found, by bits and by cells', () => {
    for (const [count, dimension, bitsUpTo, comparedAll] of [
      [2_500, 256, usualModes.bitsUpTo, true],
      [31_000, 128, 30_000, false],
    ] as const) {
      const { vectors, neighbours } = withNeighbours(count, dimension);
      const request = { minScore: 0.75, most: 100_000, until: forever };
      const near = findNearPairs(matrixOf(vectors), request, { ...usualModes, bitsUpTo });
      expect([near.comparedAll, near.outOfTime, near.cut]).toEqual([comparedAll, false, false]);
      const found = new Set(keysOf(near));
      // Each is near to another one; comparing all with all would take minutes.
      const sample = Array.from({ length: count / 20 }, (_, index) => 20 * index + 19);
      let [wanted, missing] = [0, 0];
      for (const x of sample) {
        const [one, other] = [vectors[x], vectors[neighbours[x] ?? 0]];
        if (one === undefined || other === undefined || cosine(one, other) < 0.75) continue;
        wanted += 1;
        if (!found.has(`${(neighbours[x] ?? 0) + 1} ${x + 1}`)) missing += 1;
      }
      expect(wanted, `${count} vectors`).toBeGreaterThan(100);
      expect(missing / wanted, `${missing} of ${wanted}`).toBeLessThanOrEqual(0.01);
    }
  });

  test('by bits, pairs are found although one number is larger than all others together, and few others are', () => {
    for (const [dimension, share, minScore] of [
      [384, 0.42, 0.75],
      [768, 0.3, 0.75],
      [1_536, 0.42, 0.75],
      [3_072, 0.42, 0.9],
      [3_072, 0.65, 0.9],
    ] as const) {
      const vectors = withLargeNumber(200, dimension, share, minScore + 0.02);
      const request = { minScore, most, until: forever };
      const near = findNearPairs(matrixOf(vectors), request, { ...usualModes, vectorsUpTo: -1 });
      const found = new Set(keysOf(near));
      const isMissing = (one: Float32Array, at: number) => {
        const other = vectors[at + 1] ?? one;
        return at % 2 === 0 && cosine(one, other) >= minScore && !found.has(`${at + 1} ${at + 2}`);
      };
      const missing = vectors.filter(isMissing).length;
      expect(missing, `${dimension} numbers, share ${share}`).toBeLessThanOrEqual(1);
      expect(found.size).toBeGreaterThan(75);
      expect(found.size).toBeLessThanOrEqual(100);
    }
  });

  test('are the same in whichever order nodes were put, and after some were put again or removed', () => {
    const { vectors } = withNeighbours(2_500, 64);
    const expected = findNearPairs(matrixOf(vectors), { minScore: 0.75, most, until: forever });
    const other = new NodeMatrix(64);
    for (let index = vectors.length - 1; index >= 0; index--) {
      other.put(index + 1, vectors[(index * 7) % vectors.length] ?? new Float32Array(64));
      other.put(index + 5_000, vectors[index] ?? new Float32Array(64));
    }
    for (const [index, vector] of vectors.entries()) {
      other.put(index + 1, vector);
      other.remove(index + 5_000);
    }
    const found = findNearPairs(other, { minScore: 0.75, most, until: forever });
    expect({ ...found, meanCosine: 0 }).toEqual({ ...expected, meanCosine: 0 });
    expect(found.meanCosine).toBeCloseTo(expected.meanCosine, 9);
  });

  test('of vectors that are all the same are as many as are kept, and say that there were more', () => {
    const [vector = new Float32Array()] = scattered(1, 30);
    const near = findNearPairs(matrixOf(new Array<Float32Array>(2_100).fill(vector)), {
      ...{ minScore: 0.75, most: 1_000, until: forever },
    });
    expect([near.scores.length, near.cut]).toEqual([1_000, true]);
    expect(keysOf(near).slice(0, 2)).toEqual(['1 2', '1 3']);
  });

  test('vectors of nothing are near to nothing', () => {
    for (const count of [0, 10, 2_500]) {
      const near = findNearPairs(matrixOf(new Array<Float32Array>(count).fill(new Float32Array(8))), {
        ...{ minScore: -1, most, until: forever },
      });
      expect(near.scores).toEqual([]);
    }
  });

  test.each([50, 2_500, 31_000])('of %i vectors are given up when the time is over', (count) => {
    const near = findNearPairs(
      matrixOf(scattered(count, 8)),
      { minScore: -1, most, until: 0 },
      { ...usualModes, bitsUpTo: 30_000 },
    );
    expect([near.scores.length, near.comparedAll, near.outOfTime]).toEqual([0, false, true]);
  });
});

test('the mean cosine is that of all pairs', () => {
  const vectors = scattered(20, 16);
  let [sum, pairs] = [0, 0];
  for (const [x, one] of vectors.entries()) {
    for (const other of vectors.slice(x + 1)) {
      sum += cosine(one, other);
      pairs += 1;
    }
  }
  expect(matrixOf(vectors).meanCosine).toBeCloseTo(sum / pairs, 2);
});

test('rows of bits are found by how many bits differ', () => {
  const word = fc.integer({ min: 0, max: 0xffffffff });
  const rows = fc.array(fc.array(word, { minLength: 20, maxLength: 20 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(rows, fc.nat(256), fc.nat(640), (words, first, all) => {
      const starts = Uint32Array.of(0, Math.floor(words.length / 2), words.length);
      const bits = new BitRows(words.length, 10, starts);
      for (const [row, numbers] of words.entries()) bits.put(row, Uint32Array.from(numbers));
      const differing = (x: number, y: number, count: number) =>
        (words[x] ?? []).slice(0, count).reduce((sum, number, at) => {
          const other = (number ^ (words[y]?.[at] ?? 0)) >>> 0;
          return sum + other.toString(2).replaceAll('0', '').length;
        }, 0);
      const isNear = (y: number) => differing(0, y, 8) <= first && differing(0, y, 20) <= all;
      const near = words.flatMap((_, row) => (isNear(row) ? [row] : []));
      const bounds = { first, most: all };
      expect([...bits.near(0, 1, bounds)]).toEqual(near.filter((row) => row >= 1));
      expect([...bits.nearInCells(0, Uint32Array.of(1, 0), bounds)].sort((a, b) => a - b)).toEqual(near);
      expect([...bits.distances(Uint32Array.from(words[0] ?? []))]).toEqual(
        words.map((_, row) => differing(0, row, 8)),
      );
    }),
  );
});

test('vectors differ in about as many bits as the angle between them says', () => {
  for (const dimension of [8, 100, 256, 768, 2_000]) {
    const bits = new VectorBits(dimension);
    const [one = new Float32Array(), noise = new Float32Array()] = scattered(2, dimension);
    const other = one.map((value, axis) => value + 0.8 * (noise[axis] ?? 0));
    const [x, y] = [new Uint32Array(2 * bits.words), new Uint32Array(2 * bits.words)];
    bits.write(one, x);
    bits.write(other, y);
    const differing = [...x].reduce(
      (sum, number, at) => sum + ((number ^ (y[at] ?? 0)) >>> 0).toString(2).replaceAll('0', '').length,
      0,
    );
    const expected = (Math.acos(cosine(one, other)) / Math.PI) * bits.words * 64;
    expect(Math.abs(differing - expected), `${dimension} numbers`).toBeLessThan(bits.words * 64 * 0.1);
  }
});

test('the best pairs are the same in whichever order and however often they are added', () => {
  const places = 12;
  const place = fc.integer({ min: 0, max: places - 1 });
  const pair = fc.tuple(place, place).filter(([x, y]) => x !== y);
  fc.assert(
    fc.property(fc.array(pair), fc.integer({ min: 1, max: 8 }), (added, count) => {
      const scoreOf = (x: number, y: number) => ((x * y) % 5) / 5;
      const best = new BestPairs(count, places, 0.2);
      for (const [x, y] of [...added, ...added]) best.add(x, y, scoreOf(x, y));
      const distinct = new Map(
        added.map(([x, y]) => {
          const [a, b] = [Math.min(x, y), Math.max(x, y)];
          return [`${a} ${b}`, { a, b, score: scoreOf(a, b) }];
        }),
      );
      const enough = [...distinct.values()].filter(({ score }) => score >= 0.2);
      const expected = enough.sort((p, q) => q.score - p.score || p.a - q.a || p.b - q.b).slice(0, count);
      expect(best.inOrder()).toEqual(expected);
      expect(best.truncated).toBe(enough.length > count);
    }),
  );
});

test('of pairs that are not close, only the best are kept, in whatever order they are added', () => {
  const places = 300;
  const pairs: { readonly a: number; readonly b: number; readonly score: number }[] = [];
  for (let a = 0; a < places; a++)
    for (let b = a + 1; b < places; b++)
      pairs.push({ a, b, score: ((a * 7_919 + b * 104_729) % 10_007) / 10_007 });
  const inOrder = [...pairs].sort((p, q) => q.score - p.score || p.a - q.a || p.b - q.b);
  const close = inOrder.filter(({ score }) => score >= 0.7 - nodePairSlack);
  const keep = (added: typeof pairs, count = 20_000) => {
    const best = new BestPairs(count, places, -1);
    for (const { a, b, score } of added) best.add(a, b, score);
    return { kept: best.inOrder(), cut: best.truncated };
  };
  for (const added of [pairs, inOrder, [...inOrder].reverse()]) {
    expect(keep(added)).toEqual({ kept: close, cut: true });
    expect(keep(added, 5_000)).toEqual({ kept: inOrder.slice(0, 5_000), cut: true });
    const few = keep(added.map((pair) => ({ ...pair, score: pair.score / 2 }))).kept;
    const least = (inOrder[1_999]?.score ?? 0) / 2;
    expect(few).toHaveLength(inOrder.filter(({ score }) => score / 2 >= least).length);
    expect(few.at(-1)?.score).toBe(least);
  }
});

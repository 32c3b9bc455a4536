import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Deadline } from '../../bounds/deadline.js';
import { TimeSlice } from '../../bounds/time-slice.js';
import { normalizeVector } from '../embedders/embedder.js';
import { BestPairs } from './best-pairs.js';
import { nearestPairs } from './nearest-pairs.js';
import { projectionGroups } from './projection-groups.js';
import { VectorTable } from './vector-table.js';

/** Vectors of length 1 with ids from 1; few different numbers, so that some are equal. */
const alikeVectors = fc
  .integer({ min: 1, max: 65 })
  .chain((dimension) =>
    fc.array(fc.array(fc.constantFrom(-2, -1, 0, 1, 1.5), { minLength: dimension, maxLength: dimension }), {
      maxLength: 25,
    }),
  )
  .map((vectors) =>
    vectors.map((numbers, index) => ({
      node: index + 1,
      vector: normalizeVector(Float32Array.from(numbers)),
    })),
  );

/** Vectors in no particular direction, always the same. */
function scattered(count: number, dimension: number): Float32Array[] {
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  return Array.from({ length: count }, () =>
    normalizeVector(Float32Array.from({ length: dimension }, random)),
  );
}

function tableOf(vectors: readonly Float32Array[]): VectorTable {
  const table = new VectorTable(vectors.length, vectors[0]?.length ?? 0);
  for (const [place, vector] of vectors.entries()) table.put(place, vector);
  return table;
}

function cosine(x: Float32Array, y: Float32Array): number {
  return x.reduce((sum, value, axis) => sum + value * (y[axis] ?? 0), 0);
}

describe('nearest pairs', () => {
  test('of few vectors they are all pairs that are alike enough, best first', async () => {
    await fc.assert(
      fc.asyncProperty(alikeVectors, fc.constantFrom(-1, 0, 0.3, 0.75), async (vectors, least) => {
        const { pairs, comparedAll, cut } = await nearestPairs(vectors.toReversed(), least);
        expect([comparedAll, cut]).toEqual([true, false]);
        const found = new Map(pairs.map(({ a, b, score }) => [`${a} ${b}`, score]));
        expect(found.size).toBe(pairs.length);
        for (const x of vectors) {
          for (const y of vectors.slice(x.node)) {
            const score = cosine(x.vector, y.vector);
            const answered = found.get(`${x.node} ${y.node}`);
            if (answered !== undefined) expect(answered).toBeCloseTo(score, 6);
            else expect(score).toBeLessThan(least + 1e-6);
            if (score < least - 1e-6) expect(answered).toBeUndefined();
          }
        }
        const inOrder = pairs.toSorted((x, y) => y.score - x.score || x.a - y.a || x.b - y.b);
        expect(pairs).toEqual(inOrder);
      }),
    );
  });

  test('of many vectors near-duplicates are found, whatever the order they come in', async () => {
    const vectors = scattered(3_000, 50);
    const twins = vectors
      .slice(0, 100)
      .map((vector, at) =>
        normalizeVector(vector.map((value, axis) => value + (axis === at % 50 ? 0.01 : 0))),
      );
    const nodes = [...vectors, ...twins].map((vector, index) => ({ node: index + 1, vector }));
    const { pairs, comparedAll } = await nearestPairs(nodes, 0.99);
    expect(comparedAll).toBe(false);
    expect(pairs.map(({ a, b }) => b - a)).toEqual(new Array(100).fill(3_000));
    expect(await nearestPairs(nodes.toReversed(), 0.99)).toMatchObject({ pairs });
  });

  test('vectors that are all the same give as many pairs as are kept, and say that there were more', async () => {
    const [vector = new Float32Array()] = scattered(1, 30);
    const nodes = Array.from({ length: 3_000 }, (_, index) => ({ node: index + 1, vector }));
    const { pairs, cut } = await nearestPairs(nodes, 0.75);
    expect([pairs.length, cut]).toEqual([10_000, true]);
    expect(pairs.slice(0, 2)).toMatchObject([
      { a: 1, b: 2 },
      { a: 1, b: 3 },
    ]);
  });

  test('vectors of nothing are near to nothing', async () => {
    const nodes = Array.from({ length: 2_500 }, (_, index) => ({
      node: index + 1,
      vector: new Float32Array(8),
    }));
    expect(await nearestPairs(nodes, 0.1)).toEqual({
      ...{ pairs: [], comparedAll: false, outOfTime: false, cut: false },
    });
    expect(await nearestPairs([], 0.1)).toEqual({
      ...{ pairs: [], comparedAll: true, outOfTime: false, cut: false },
    });
  });
});

test('a product is given up only if it is less than was asked for', () => {
  fc.assert(
    fc.property(alikeVectors, fc.double({ min: -1, max: 1, noNaN: true }), (vectors, least) => {
      const table = tableOf(vectors.map(({ vector }) => vector));
      for (let a = 0; a < vectors.length; a++) {
        for (let b = 0; b < vectors.length; b++) {
          const exact = table.product(a, b, Number.NEGATIVE_INFINITY);
          const product = table.product(a, b, least);
          if (exact >= least) expect(product).toBe(exact);
          else expect(product).toBeLessThan(least);
        }
      }
    }),
  );
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

test.each([50, 2_500])('trust 20: the pairs of %i vectors are given up at the deadline', async (count) => {
  const nodes = scattered(count, 8).map((vector, index) => ({ node: index + 1, vector }));
  expect(await nearestPairs(nodes, -1, new Deadline(0))).toEqual({
    ...{ pairs: [], comparedAll: false, outOfTime: true, cut: false },
  });
});

test('every place is in one neighbourhood at a time, none of which is too large or nearly empty', async () => {
  for (const vectors of [scattered(1_000, 200), new Array<Float32Array>(1_000).fill(new Float32Array(3))]) {
    const found: Uint32Array[] = [];
    for await (const places of projectionGroups(tableOf(vectors), {
      times: 2,
      size: 48,
      slice: new TimeSlice(),
    }))
      found.push(places);
    const sizes = found.map((places) => places.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(48);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24);
    const met = found.flatMap((places) => [...places]).sort((a, b) => a - b);
    expect(met).toEqual(Array.from({ length: 2_000 }, (_, index) => index >> 1));
  }
});

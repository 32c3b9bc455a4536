import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findNearPairs, type NearPairs } from './find-near-pairs.js';
import { NodeMatrix } from './node-matrix.js';
import { NodePairs } from './node-pairs.js';

const forever = Number.MAX_SAFE_INTEGER;
const dimension = 3;

type Step =
  | { readonly do: 'put'; readonly node: number; readonly vector: readonly number[] }
  | { readonly do: 'remove'; readonly node: number }
  | { readonly do: 'find'; readonly minScore: number; readonly until: number };

const node = fc.integer({ min: 1, max: 12 });
const vector = fc.array(fc.constantFrom(-2, -1, 0, 1, 1.5), { minLength: dimension, maxLength: dimension });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('put' as const), node, vector }) },
  fc.record({ do: fc.constant('remove' as const), node }),
  fc.record({
    do: fc.constant('find' as const),
    minScore: fc.constantFrom(-1, 0, 0.3, 0.75),
    until: fc.constantFrom(0, forever),
  }),
);

const pairsOf = ({ a, b, scores }: NearPairs) =>
  scores.map((score, row) => ({ a: a[row], b: b[row], score }));

describe('kept pairs', () => {
  test('are those of a search that starts anew, whatever was put, removed and searched before', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.constantFrom(-1, 0.3),
        fc.constantFrom(4, 10_000),
        (steps, minScore, most) => {
          const kept = new NodePairs(dimension);
          const matrix = new NodeMatrix(dimension);
          for (const each of steps) {
            if (each.do === 'find') kept.find({ minScore: each.minScore, most, until: each.until });
            else if (each.do === 'remove') for (const holder of [kept, matrix]) holder.remove(each.node);
            else for (const holder of [kept, matrix]) holder.put(each.node, Float32Array.from(each.vector));
          }
          const found = kept.find({ minScore, most, until: forever });
          const all = pairsOf(findNearPairs(matrix, { minScore, most: 10_000, until: forever }));
          expect([kept.size, found.outOfTime, found.comparedAll]).toEqual([matrix.size, false, true]);
          if (!found.cut) {
            expect(pairsOf(found)).toEqual(all);
            return;
          }
          // The best are there, and of those that are as good as the last some may be missing.
          const least = found.scores.at(-1) ?? 1;
          const better = (pairs: typeof all) => pairs.filter(({ score }) => score > least);
          expect(better(pairsOf(found))).toEqual(better(all));
          for (const pair of pairsOf(found)) expect(all).toContainEqual(pair);
          expect(found.scores.length).toBeGreaterThanOrEqual(Math.min(all.length, most / 2));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a search that runs out of time goes on in the next call', () => {
    const pairs = new NodePairs(dimension);
    const matrix = new NodeMatrix(dimension);
    for (let at = 1; at <= 300; at++) {
      const numbers = Float32Array.of(Math.sin(at), Math.cos(at), Math.sin(at * at));
      pairs.put(at, numbers);
      matrix.put(at, numbers);
    }
    const request = { minScore: 0.9, most: 10_000 };
    const first = pairs.find({ ...request, until: 0 });
    expect([first.outOfTime, first.scores.length]).toEqual([true, 0]);
    expect(pairs.find({ ...request, until: forever })).toEqual(
      findNearPairs(matrix, { ...request, until: forever }),
    );
  });
});

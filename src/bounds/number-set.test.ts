import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberSet } from './number-set.js';

const runs = fc.array(
  fc.record({
    start: fc.oneof(
      fc.nat({ max: 5_000 }),
      fc.maxSafeNat().map((most) => Math.max(0, most - 5_000)),
    ),
    count: fc.nat({ max: 1_500 }),
    step: fc.integer({ min: 1, max: 3 }),
  }),
  { maxLength: 5 },
);

test('has what a set of the language has, few or many, neighbours or not', () => {
  fc.assert(
    fc.property(runs, (given) => {
      const [expected, numbers] = [new Set<number>(), new NumberSet()];
      for (const { start, count, step } of given)
        for (let index = 0; index < count; index++) {
          const number = Math.min(start + index * step, Number.MAX_SAFE_INTEGER);
          expected.add(number);
          numbers.add(number);
        }
      expect(numbers.size).toBe(expected.size);
      expect([...numbers].sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b));
      for (const number of expected) if (!numbers.has(number)) throw new Error(`${number} is missing`);
      for (const { start, count, step } of given)
        for (const other of [start + count * step, start + 1, start + 31, start + 1_024])
          expect(numbers.has(other)).toBe(expected.has(other));
    }),
    { numRuns: 100 },
  );
});

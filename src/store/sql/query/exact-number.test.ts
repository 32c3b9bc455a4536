import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactNumberText } from './exact-number.js';

const floats = fc.double({ noNaN: true, noDefaultInfinity: true });
const integers = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  // Around the borders, where floats lie far apart or integers end.
  fc
    .tuple(fc.constantFrom(0n, 2n ** 53n, 2n ** 60n, 2n ** 63n, 2n ** 64n - 2049n), fc.bigInt(-2048n, 2048n))
    .map(([border, away]) => border + away),
);
const near = integers.map((integer) => Number(integer));
const numbers = fc.oneof(floats, near, integers);

const written = (number: number | bigint) => (typeof number === 'bigint' ? String(number) : number);

test('texts of numbers are ordered as the numbers are, whatever kinds they are of', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const [left, right] = [exactNumberText(written(a)) ?? '', exactNumberText(written(b)) ?? ''];
      expect(left < right).toBe(a < b);
      expect(left === right).toBe(!(a < b) && !(a > b));
    }),
    { numRuns: 2_000 },
  );
});

test('digits are a number only where they may be one, and nothing else is', () => {
  expect(exactNumberText('5')).toBe(exactNumberText(5));
  expect(exactNumberText('5', false)).toBeNull();
  expect([true, null, 'x', '', '1.5', [5]].map((value) => exactNumberText(value))).toEqual(
    Array.from({ length: 6 }, () => null),
  );
});

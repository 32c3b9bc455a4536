import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, equalJson } from './json.js';

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, 0, -0, 1, 'a', undefined),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('any'), { maxKeys: 3 }),
  ),
})).any;

test('values are equal exactly if their canonical texts are', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(equalJson(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
    }),
    { numRuns: 2_000 },
  );
});

test('the order of keys does not matter', () => {
  expect(equalJson({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
});

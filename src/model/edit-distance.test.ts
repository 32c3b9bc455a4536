import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.js';

test.each([
  ['katharina', 'katherina', 1],
  ['margaret', 'magraret', 1],
  ['alice', 'alicee', 1],
  ['alice', 'lice', 1],
  ['smith', 'smyths', 2],
  ['abc', 'xyz', Number.POSITIVE_INFINITY],
])('%s and %s are %d edits apart', (a, b, edits) => {
  expect(editDistance(a, b, 2)).toBe(edits);
});

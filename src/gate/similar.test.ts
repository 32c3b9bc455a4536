import { expect, test } from 'vitest';
import { editDistance, similarNodes } from './similar.js';

const named = (...names: string[]) => names.map((name) => ({ name, keys: { name } }));

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

test('the nearest come first, and what is too far does not come', () => {
  const found = similarNodes('Katharina', named('Kathrin', 'Katherino', 'Nina', 'Katherina', 'katharina!'));
  expect(found).toEqual(named('katharina!', 'Katherina', 'Kathrin'));
});

test('in a short name every letter counts', () => {
  expect(similarNodes('Bob', named('Rob', 'bob'))).toEqual(named('bob'));
});

test('a very long name is compared as a whole', () => {
  const long = 'x'.repeat(100_000);
  expect(similarNodes(long, named(`${long}y`, long.toUpperCase()))).toEqual(named(long.toUpperCase()));
});

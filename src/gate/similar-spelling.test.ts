import { expect, test } from 'vitest';
import { filterSimilarSpelling } from './similar-spelling.js';

const named = (...names: string[]) => names.map((name) => ({ name, keys: { name } }));

test('the nearest come first, and what is too far does not come', () => {
  const found = filterSimilarSpelling(
    'Katharina',
    named('Kathrin', 'Katherino', 'Nina', 'Katherina', 'katharina!'),
  );
  expect(found).toEqual(named('katharina!', 'Katherina', 'Kathrin'));
});

test('in a short name every letter counts', () => {
  expect(filterSimilarSpelling('Bob', named('Rob', 'bob'))).toEqual(named('bob'));
});

test('a very long name is compared as a whole', () => {
  const long = 'x'.repeat(100_000);
  expect(filterSimilarSpelling(long, named(`${long}y`, long.toUpperCase()))).toEqual(
    named(long.toUpperCase()),
  );
});

import { expect, test } from 'vitest';
import { didYouMean, nearest } from './nearest.js';

test.each([
  ['rule', 'rules'],
  ['raed', 'read'],
  ['READ', 'read'],
  ['branch_scop', 'branch_scope'],
  ['chnage', 'change'],
])('%s was meant to be %s', (typed, meant) => {
  expect(nearest(typed, ['read', 'change', 'rules', 'branch_scope'])).toBe(meant);
});

test('what is close to nothing is not guessed', () => {
  expect(nearest('deny', ['id', 'allow'])).toBeUndefined();
  expect(nearest('', ['id'])).toBeUndefined();
  expect(nearest('x'.repeat(100_000), ['id'])).toBeUndefined();
  expect(didYouMean('deny', ['id', 'allow'])).toBe('');
  expect(didYouMean('alow', ['id', 'allow'])).toBe(' Did you mean "allow"?');
});

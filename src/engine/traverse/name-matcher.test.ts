import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NameMatcher } from './name-matcher.js';

function named(names: readonly string[], text: string): string[][] {
  const matcher = new NameMatcher();
  for (const [id, name] of names.entries()) matcher.add(name, id);
  return [...matcher.matches(text)].map((ids) => ids.map((id) => names[id] ?? ''));
}

test('a name is found as a whole word, ignoring case', () => {
  expect(named(['Ann'], 'ANN met ann, Annie and Joann')).toEqual([['Ann'], ['Ann']]);
});

test('the longest name wins, and what it covers is not found again', () => {
  const names = ['New York', 'York', 'New York Times', 'Times'];
  expect(named(names, 'The New York Times of York and New York')).toEqual([
    ['New York Times'],
    ['York'],
    ['New York'],
  ]);
});

test('a name that begins like a longer one is found where the longer one breaks off', () => {
  expect(named(['New York', 'New York Times Square'], 'the New York Times')).toEqual([['New York']]);
});

test('names with punctuation are taken literally', () => {
  expect(named(['C++', 'C', 'node.js', '.*', '%'], 'C++ and C, node.js, nodexjs, not a wildcard')).toEqual([
    ['C++'],
    ['C'],
    ['node.js'],
  ]);
  expect(named(['100%'], 'It is 100% sure')).toEqual([['100%']]);
});

test('spaces may be of any kind and number, but must be there', () => {
  expect(named(['New York'], 'New\n  York, NewYork')).toEqual([['New York']]);
});

test('a name is found in scripts without spaces', () => {
  expect(named(['東京'], '昨日東京に行った')).toEqual([['東京']]);
});

test('names that differ in case alone are found together; names of nothing but spaces never', () => {
  expect(named(['Bob', 'bob', '  '], 'Bob  came')).toEqual([['Bob', 'bob']]);
});

test('hostile names are names like others', () => {
  expect(named(['__proto__', 'constructor', 'a|b'], '__proto__ and constructor and a|b')).toEqual([
    ['__proto__'],
    ['constructor'],
    ['a|b'],
  ]);
});

test('whatever the names, a text that is one of them between spaces is found', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(name, (text) => {
      expect(named([text], `see ${text} .`).length).toBeGreaterThan(0);
    }),
  );
});

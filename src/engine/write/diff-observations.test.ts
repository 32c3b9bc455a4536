import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffObservations } from './diff-observations.js';

const observations = (...texts: string[]) =>
  texts.map((text, index) => ({ node: 1, ordinal: index + 1, text, provenance: null, createdAt: 0 }));

test('a changed text takes the place of the one it stands for', () => {
  expect(diffObservations(observations('a', 'b', 'c'), ['a', 'B', 'c'])).toEqual({
    removed: [],
    replaced: [{ ordinal: 2, text: 'B' }],
    appended: [],
  });
});

test('a text that is left out is removed, and the others keep their ordinals', () => {
  const before = observations('a', 'b', 'c', 'd');
  expect(diffObservations(before, ['b', 'd'])).toEqual({
    removed: [before[0], before[2]],
    replaced: [],
    appended: [],
  });
});

test('a text that has no place between two others goes to the end, with what follows it', () => {
  const before = observations('a', 'b');
  expect(diffObservations(before, ['a', 'new', 'b'])).toEqual({
    removed: [before[1]],
    replaced: [],
    appended: ['new', 'b'],
  });
});

const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'));

test('what is left reads like the list, repeats included', () => {
  fc.assert(
    fc.property(texts, texts, (old, wanted) => {
      const { removed, replaced, appended } = diffObservations(observations(...old), wanted);
      const gone = new Set(removed.map(({ ordinal }) => ordinal));
      const put = new Map(replaced.map(({ ordinal, text }) => [ordinal, text]));
      const left = observations(...old)
        .filter(({ ordinal }) => !gone.has(ordinal))
        .map(({ ordinal, text }) => put.get(ordinal) ?? text);
      expect([...left, ...appended]).toEqual(wanted);
    }),
  );
});

test('leaving some out changes and adds none', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.infiniteStream(fc.boolean()), (old, coins) => {
      const wanted = old.filter(() => coins.next().value === true);
      const placed = diffObservations(observations(...old), wanted);
      expect(placed.replaced).toEqual([]);
      expect(placed.appended).toEqual([]);
      expect(placed.removed).toHaveLength(old.length - wanted.length);
    }),
  );
});

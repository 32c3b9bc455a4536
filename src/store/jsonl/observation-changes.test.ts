import fc from 'fast-check';
import { expect, test } from 'vitest';
import { observationChanges } from './observation-changes.js';

const observations = (texts: readonly string[]) =>
  texts.map((text, index) => ({ node: 1, ordinal: index + 1, text, provenance: null, createdAt: 0 }));

test('an added observation is added and a removed one removed; the others stay', () => {
  const before = observations(['a', 'b', 'c']);
  expect(observationChanges(before, ['a', 'c', 'd'])).toEqual({ removed: [before[1]], added: ['d'] });
});

test('what is kept and what is added read like the new list, repeats included', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'));
  fc.assert(
    fc.property(texts, texts, (old, wanted) => {
      const before = observations(old);
      const { removed, added } = observationChanges(before, wanted);
      const kept = before.filter((observation) => !removed.includes(observation)).map(({ text }) => text);
      expect([...kept, ...added]).toEqual(wanted);
    }),
  );
});

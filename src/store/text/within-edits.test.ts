import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithinEdits } from './within-edits.js';

/** How many letters differ, by trying everything. */
function editsBetween([a, ...restA]: string[], [b, ...restB]: string[]): number {
  if (a === undefined) return b === undefined ? 0 : restB.length + 1;
  if (b === undefined) return restA.length + 1;
  if (a === b) return editsBetween(restA, restB);
  const inserted = editsBetween([a, ...restA], restB);
  const removed = editsBetween(restA, [b, ...restB]);
  return 1 + Math.min(editsBetween(restA, restB), inserted, removed);
}

// Few letters, so that words are alike; the last three share halves.
const word = fc
  .array(fc.constantFrom('a', 'b', 'é', '😀', '😁', '🤀'), { maxLength: 6 })
  .map((letters) => letters.join(''));

test('two words are alike if that few letters differ', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, most) => {
      expect(isWithinEdits(a, b, most)).toBe(editsBetween(Array.from(a), Array.from(b)) <= most);
    }),
    { numRuns: 2_000 },
  );
});

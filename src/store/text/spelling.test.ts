import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldName, similarSpellingKeys, spellingKeys } from './spelling.js';

const meets = (stored: string, asked: string) => {
  const known = new Set(spellingKeys(stored));
  return similarSpellingKeys(asked).some((spelling) => known.has(spelling));
};

test('case, spacing and punctuation do not count', () => {
  expect(foldName('  User_Profile (new)')).toBe(foldName('user profile-NEW'));
  expect(meets('Alice Smith', 'alice-smith')).toBe(true);
});

test('a name of punctuation alone is like nothing', () => {
  expect(spellingKeys('?!')).toEqual([]);
  expect(similarSpellingKeys('?!')).toEqual([]);
});

test('names whose digits differ do not meet, unless as a whole', () => {
  expect(meets('invoice 17', 'invoice 18')).toBe(false);
  expect(meets('Invoice-17', 'invoice 17')).toBe(true);
});

test('a name of four letters or more is found by every name that differs in one', () => {
  const letter = fc.constantFrom(...'abcdefgh');
  const name = fc.array(letter, { minLength: 5, maxLength: 20 });
  fc.assert(
    fc.property(name, fc.nat(), fc.option(letter), fc.boolean(), (letters, at, other, insert) => {
      const place = at % letters.length;
      const changed = letters.toSpliced(place, insert ? 0 : 1, ...(other === null ? [] : [other]));
      expect(meets(letters.join(''), changed.join(''))).toBe(true);
      expect(meets(changed.join(''), letters.join(''))).toBe(true);
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { titleCase } from './title-case.js';

test.each([
  ['currentLocation', 'Current Location'],
  ['role', 'Role'],
  ['current_location', 'Current Location'],
  ['current-location', 'Current Location'],
  ['CurrentLocation', 'Current Location'],
  ['homeURL', 'Home URL'],
  ['URLParser', 'URL Parser'],
  ['homeURLs', 'Home URLs'],
  ['imageURLsShown', 'Image URLs Shown'],
  ['level2Spells', 'Level2 Spells'],
  ['favourite colour', 'Favourite Colour'],
  ['_hidden__thing_', 'Hidden Thing'],
  ['äußereForm', 'Äußere Form'],
  ['ßeta', 'ßeta'],
  ['constructor', 'Constructor'],
  ['名前', '名前'],
  ['___', ''],
  ['', ''],
])('%s becomes %s', (property, key) => {
  expect(titleCase(property)).toBe(key);
});

test('a key is its own key', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 30 });
  fc.assert(
    fc.property(name, (text) => {
      expect(titleCase(titleCase(text))).toBe(titleCase(text));
    }),
  );
});

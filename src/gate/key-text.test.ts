import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyText, qualifiedKeyText } from './key-text.js';

test('a single key is its value', () => {
  expect(keyText({ name: 'Ada, first' })).toBe('Ada, first');
  expect(keyText({ id: 7 })).toBe('7');
});

test('several keys are named, in one order, and quoted where they could be misread', () => {
  expect(keyText({ last: 'Lovelace', first: 'Ada' })).toBe('first=Ada, last=Lovelace');
  expect(keyText({ a: '1', b: 1, c: true, d: 'true', e: 'x=1, y' })).toBe(
    'a="1", b=1, c=true, d="true", e="x=1, y"',
  );
});

test('different keys never have the same qualified text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '1', '=', ',', ' ', '"', '\\', '-') });
  const keys = fc.dictionary(text, fc.oneof(text, fc.integer({ min: -1, max: 11 }), fc.boolean()), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(keys, keys, (a, b) => {
      const sorted = (record: object) => JSON.stringify(Object.entries(record).sort());
      expect(qualifiedKeyText(a) === qualifiedKeyText(b)).toBe(sorted(a) === sorted(b));
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyText, qualifiedKeyText } from './key-text.js';

test('a single key is its value', () => {
  expect(keyText(['name'], { name: 'Ada, first', age: 36 })).toBe('Ada, first');
  expect(keyText(['id'], { id: 7 })).toBe('7');
});

test('trust 3: several keys are a list of their values, in the order of the key', () => {
  expect(keyText(['last', 'first'], { first: 'Ada', last: 'Lovelace' })).toBe('["Lovelace","Ada"]');
  expect(keyText(['a', 'b'], { a: '1' })).toBe('["1",null]');
});

test('a qualified text names the keys, in one order, and quotes what could be misread', () => {
  const props = { a: '1', b: 1, c: true, d: 'true', e: 'x=1, y', f: 'Ada' };
  expect(qualifiedKeyText(Object.keys(props).reverse(), props)).toBe(
    'a="1", b=1, c=true, d="true", e="x=1, y", f=Ada',
  );
});

test('different keys never have the same qualified text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '1', '=', ',', ' ', '"', '\\', '-') });
  const keys = fc.dictionary(text, fc.oneof(text, fc.integer({ min: -1, max: 11 }), fc.boolean()), {
    minKeys: 1,
  });
  const qualified = (record: Readonly<Record<string, string | number | boolean>>) =>
    qualifiedKeyText(Object.keys(record), record);
  fc.assert(
    fc.property(keys, keys, (a, b) => {
      const sorted = (record: object) => JSON.stringify(Object.entries(record).sort());
      expect(qualified(a) === qualified(b)).toBe(sorted(a) === sorted(b));
    }),
  );
});

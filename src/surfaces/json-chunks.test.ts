import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonChunks } from './json-chunks.js';

const printed = async (value: unknown) => Buffer.concat(await jsonChunks(value)).toString('utf8');

test('prints what JSON.stringify prints', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      // Long enough to be taken apart.
      const long = Array.from({ length: 700 }, () => value);
      expect(await printed(value)).toBe(JSON.stringify(value));
      expect(await printed({ long, none: undefined, value })).toBe(JSON.stringify({ long, value }));
    }),
    { numRuns: 50 },
  );
});

test('prints long strings in pieces that separate no surrogate pair', async () => {
  for (const shift of ['', 'a']) {
    const text = `${shift}${'😀"\n\\'.repeat(60_000)}\ud800`;
    expect(await printed({ text })).toBe(JSON.stringify({ text }));
    expect((await jsonChunks({ text })).length).toBeGreaterThan(2);
  }
});

test('prints an object of nothing but undefined members', async () => {
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`k${index}`, undefined]));
  expect(await printed(many)).toBe('{}');
});

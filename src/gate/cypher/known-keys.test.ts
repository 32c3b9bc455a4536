import { expect, test } from 'vitest';
import { KnownKeys } from './known-keys.js';

test('the label, the name of a key, its type and its value count', () => {
  const known = new KnownKeys();
  known.add('Person', { name: 'Ada' });
  known.add('Person', { id: 1 });
  expect(known.has('Person', { name: 'Ada' })).toBe(true);
  expect(known.has('Person', { id: 1 })).toBe(true);
  expect(known.has('Company', { name: 'Ada' })).toBe(false);
  expect(known.has('Person', { title: 'Ada' })).toBe(false);
  expect(known.has('Person', { id: '1' })).toBe(false);
});

test('those that were not seen for longest are forgotten, and long ones are not remembered', () => {
  const known = new KnownKeys();
  for (let id = 0; id < 10_000; id++) known.add('Person', { id });
  known.add('Person', { id: 0 });
  known.add('Person', { id: 10_000 });
  expect(known.has('Person', { id: 0 })).toBe(true);
  expect(known.has('Person', { id: 1 })).toBe(false);
  expect(known.has('Person', { id: 2 })).toBe(true);
  known.add('Person', { name: 'x'.repeat(10_000) });
  expect(known.has('Person', { name: 'x'.repeat(10_000) })).toBe(false);
});

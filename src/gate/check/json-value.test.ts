import { expect, test } from 'vitest';
import { jsonProblem } from './json-value.js';

test.each([
  ['a date', new Date(0)],
  ['a map', new Map([['a', 1]])],
  ['a set in a list', [new Set([1])]],
  ['bytes', new Uint8Array([1])],
  ['a bigint', 10n],
  ['undefined', { a: undefined }],
])('%s is not JSON, and would be stored as something else', (_, value) => {
  expect(jsonProblem(value)).toBe('is not JSON');
});

test('objects without a prototype are JSON', () => {
  expect(jsonProblem(Object.assign(Object.create(null), { a: [1, null, 'x', { b: true }] }))).toBeUndefined();
});

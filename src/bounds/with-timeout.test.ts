import { expect, test } from 'vitest';
import { withTimeout } from './with-timeout.js';

const never = new Promise<string>(() => {});

test('what ends in time is passed on, whether it resolves or rejects', async () => {
  expect(await withTimeout(Promise.resolve('done'), 60_000, () => 'late')).toBe('done');
  expect(await withTimeout(Promise.resolve('done'), Number.POSITIVE_INFINITY, () => 'late')).toBe('done');
  await expect(withTimeout(Promise.reject(new Error('no')), 60_000, () => 'late')).rejects.toThrow('no');
});

test('what takes longer is replaced by a value or an error', async () => {
  expect(await withTimeout(never, 1, () => 'late')).toBe('late');
  const fail = () => {
    throw new Error('late');
  };
  await expect(withTimeout(never, 1, fail)).rejects.toThrow('late');
});

import { expect, test } from 'vitest';
import { Deadline } from './deadline.js';

test('a deadline passes when its time is over, and a share of it sooner', () => {
  let now = 1_000;
  const deadline = new Deadline(100, () => now);
  const first = deadline.fraction(0.4);
  expect([deadline.remainingMs, first.remainingMs]).toEqual([100, 40]);
  now += 40;
  expect([deadline.passed, first.passed]).toEqual([false, true]);
  now += 1_000;
  expect([deadline.passed, deadline.remainingMs]).toEqual([true, 0]);
});

test('waiting ends with the work or at the deadline', async () => {
  const never = new Promise<string>(() => {});
  expect(await new Deadline(1).wait(never)).toBeUndefined();
  expect(await new Deadline(60_000).wait(Promise.resolve('done'))).toBe('done');
  expect(await new Deadline(Number.POSITIVE_INFINITY).wait(Promise.resolve('done'))).toBe('done');
  await expect(new Deadline(60_000).wait(Promise.reject(new Error('no')))).rejects.toThrow('no');
});

import { expect, test } from 'vitest';
import { retry } from './retry.js';

/** Fails with each of these errors in turn, and then succeeds. */
function failing(...errors: readonly string[]) {
  const left = [...errors];
  let calls = 0;
  const work = () => {
    calls += 1;
    const message = left.shift();
    if (message !== undefined) throw new Error(message);
    return 'done';
  };
  return { work, calls: () => calls };
}

const isBusy = (error: unknown) => error instanceof Error && error.message.startsWith('busy');

test('work that fails for a while is repeated until it succeeds', async () => {
  const { work, calls } = failing('busy 1', 'busy 2');
  expect(await retry(work, { isTransient: isBusy, delayMs: 0 })).toBe('done');
  expect(calls()).toBe(3);
});

test('an error that repeating does not help is thrown at once', async () => {
  const { work, calls } = failing('busy 1', 'full', 'busy 2');
  await expect(retry(work, { isTransient: isBusy, delayMs: 0 })).rejects.toThrow('full');
  expect(calls()).toBe(2);
});

test('after the last attempt its error is thrown', async () => {
  const { work, calls } = failing('busy 1', 'busy 2', 'busy 3');
  await expect(retry(work, { isTransient: isBusy, delayMs: 0, attempts: 2 })).rejects.toThrow('busy 2');
  expect(calls()).toBe(2);
});

test('when the time is over no further attempt starts', async () => {
  const { work, calls } = failing('busy 1');
  await expect(retry(work, { isTransient: isBusy, delayMs: 0, forMs: 0 })).rejects.toThrow('busy 1');
  expect(calls()).toBe(1);
});

import { expect, test } from 'vitest';
import { Mutex } from './mutex.js';

/** Lets everything run that does not wait for something else. */
const idle = () => new Promise((resolve) => setImmediate(resolve));

test('one piece of work runs at a time, in the order they asked', async () => {
  const mutex = new Mutex();
  const seen: string[] = [];
  const work = async (name: string) => {
    seen.push(`${name} begins`);
    await idle();
    seen.push(`${name} ends`);
    return name;
  };
  expect(await Promise.all(['a', 'b', 'c'].map((name) => mutex.run(() => work(name))))).toEqual([
    'a',
    'b',
    'c',
  ]);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('work that fails lets the next in', async () => {
  const mutex = new Mutex();
  const failed = mutex.run(() => Promise.reject(new Error('no')));
  const next = mutex.run(async () => 'next');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('next');
});

test('whoever has entered keeps others out until they leave', async () => {
  const mutex = new Mutex();
  const leave = await mutex.acquire();
  let entered = false;
  const next = mutex.acquire().then((end) => {
    entered = true;
    return end;
  });
  await idle();
  expect(entered).toBe(false);
  leave();
  (await next)();
  expect(entered).toBe(true);
});

import { afterEach, expect, test } from 'vitest';
import { NodePairThreads } from './node-pair-threads.js';

const threads = new NodePairThreads(2);
afterEach(() => threads.end());

const threadsOf = (...keys: readonly string[]) => Promise.all(keys.map((key) => threads.threadOf(key)));

test('places are spread over the threads, and stay where they are', async () => {
  const [a, b, c, d] = await threadsOf('a', 'b', 'c', 'd');
  expect(new Set([a, b, c, d]).size).toBe(2);
  expect([c, d]).toEqual([a, b]);
  expect(await threadsOf('d', 'c', 'b', 'a')).toEqual([b, a, b, a]);
});

test('a place that is forgotten leaves room for another', async () => {
  const [a, b] = await threadsOf('a', 'b');
  threads.forget('b');
  expect(await threads.threadOf('c')).toBe(b);
  expect(await threads.threadOf('b')).toBe(a);
});

test('a thread that has failed is replaced once, for all of its places', async () => {
  const [a] = await threadsOf('a', 'b', 'c');
  await a?.end();
  await expect.poll(() => a?.hasFailed).toBe(true);
  const [now, other] = await threadsOf('a', 'c');
  expect(now?.hasFailed).toBe(false);
  expect(other).toBe(now);
});

test('after the end, others are started', async () => {
  const before = await threads.threadOf('a');
  await threads.end();
  const now = await threads.threadOf('a');
  expect(now).not.toBe(before);
  expect(now.hasFailed).toBe(false);
});

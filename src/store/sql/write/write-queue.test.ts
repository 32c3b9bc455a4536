import { expect, test } from 'vitest';
import { type QueuedWrite, WriteQueue } from './write-queue.js';

const write: QueuedWrite = { run: async () => {}, done: () => {}, failed: () => {} };

test('says how many writes wait, and no longer counts those that a batch has taken', async () => {
  const lengths: number[] = [];
  const queue = new WriteQueue(async () => {
    lengths.push(queue.length);
  });
  for (let i = 0; i < 300; i++) queue.push(write);
  expect(queue.length).toBe(300);
  await queue.close();
  expect(lengths).toEqual([44, 0]);
});

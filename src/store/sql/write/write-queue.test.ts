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

test('whoever makes one write after the other does not keep everybody else from their turns', async () => {
  let [written, turns] = [0, 0];
  const queue = new WriteQueue(async (batch) => {
    for (const { done } of batch) done();
  });
  const turnsMeanwhile = await new Promise<number>((resolve) => {
    const next = (): void => {
      written += 1;
      setImmediate(() => {
        turns += 1;
      });
      if (written === 10) resolve(turns);
      else queue.push({ ...write, done: next });
    };
    next();
  });
  expect(turnsMeanwhile).toBeGreaterThanOrEqual(8);
});

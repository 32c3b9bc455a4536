import { expect, test } from 'vitest';
import { type QueuedWrite, reportInTurns, WriteQueue } from './write-queue.js';

const write: QueuedWrite = { owner: 'ann', run: async () => {}, done: () => {}, failed: () => {} };

test('says how many writes wait, and no longer counts those that a batch has taken', async () => {
  const lengths: number[] = [];
  const queue = new WriteQueue<QueuedWrite>(async () => {
    lengths.push(queue.length);
    return [];
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
    return [];
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

test('others have turns while the writers of a large batch learn of their writes', async () => {
  let turns = 0;
  const seen: number[] = [];
  const count = () => {
    turns += 1;
    if (seen.length < 40) setImmediate(count);
  };
  setImmediate(count);
  await reportInTurns(Array.from({ length: 40 }, () => () => seen.push(turns)));
  expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => Math.floor(index / 16)));
});

test('trust 32: owners take turns, however many writes one of them has', async () => {
  const order: string[] = [];
  const queue = new WriteQueue(async (batch) => {
    order.push(...batch.map(({ owner }) => owner));
    return [];
  });
  for (const owner of ['ann', 'ann', 'ann', 'bob', 'cem', 'bob']) queue.push({ ...write, owner });
  await queue.close();
  expect(order).toEqual(['ann', 'bob', 'cem', 'ann', 'bob', 'ann']);
});

test('trust 32: what a long batch has not begun waits with the others for the next', async () => {
  const batches: string[][] = [];
  await new Promise<void>((resolve) => {
    const queue = new WriteQueue<QueuedWrite>(async (batch) => {
      batches.push(batch.map(({ owner }) => owner));
      if (batches.length === 1) queue.push({ ...write, owner: 'bob' });
      if (batch.length === 1) resolve();
      return batch.slice(1);
    });
    for (let nth = 0; nth < 3; nth++) queue.push(write);
  });
  expect(batches).toEqual([['ann', 'ann', 'ann'], ['bob', 'ann', 'ann'], ['ann', 'ann'], ['ann']]);
});

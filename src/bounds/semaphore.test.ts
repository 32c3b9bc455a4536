import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.js';

test('a few run at a time, the others in the order of asking, failures included', async () => {
  const semaphore = new Semaphore(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((index) =>
    semaphore.run(async () => {
      started.push(index);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (index === 0) throw new Error('failed');
    }),
  );
  const settled = Promise.allSettled(all);
  for (const count of [2, 3, 4, 4]) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toHaveLength(count);
    ends.shift()?.();
  }
  expect((await settled).map(({ status }) => status)).toEqual([
    'rejected',
    ...Array.from({ length: 3 }, () => 'fulfilled'),
  ]);
  expect(started).toEqual([0, 1, 2, 3]);
});

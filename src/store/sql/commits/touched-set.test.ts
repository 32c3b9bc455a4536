import { expect, test } from 'vitest';
import { TouchedSet } from './touched-set.js';

test('others have turns while the ends of very many edges are collected', async () => {
  const touched = new TouchedSet();
  touched.addNodes([1, 2]);
  for (let from = 1; from <= 400_000; from++) touched.addEdge({ from, to: from + 1, type: 'knows', key: '' });
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 0);
  const ends = await touched.furtherEnds(({ from }) => from > 200_000);
  clearInterval(turning);
  expect(ends.size).toBe(200_001 - 2);
  expect(turns).toBeGreaterThan(0);
});

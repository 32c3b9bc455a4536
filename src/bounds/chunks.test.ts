import { expect, test } from 'vitest';
import { lookUpAhead } from './chunks.js';

test('each item comes with what was looked up for it, which began before the one before was used', async () => {
  const events: string[] = [];
  const lookUp = async (item: string) => {
    events.push(`look up ${item}`);
    return item.toUpperCase();
  };
  for await (const [item, found] of lookUpAhead(['a', 'b', 'c'], lookUp)) events.push(`use ${item} ${found}`);
  expect(events).toEqual(['look up a', 'look up b', 'use a A', 'look up c', 'use b B', 'use c C']);
});

test('a look-up that fails is reported when its item has its turn', async () => {
  const used: number[] = [];
  const lookUp = async (item: number) => {
    if (item === 2) throw new Error('no 2');
  };
  const using = (async () => {
    for await (const [item] of lookUpAhead([1, 2, 3], lookUp)) used.push(item);
  })();
  await expect(using).rejects.toThrow('no 2');
  expect(used).toEqual([1]);
});

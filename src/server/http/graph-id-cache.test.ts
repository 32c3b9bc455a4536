import { expect, onTestFinished, test, vi } from 'vitest';
import { GraphIdCache } from './graph-id-cache.js';

/** Graphs that change under a clock that is set by hand. */
function changing() {
  const world = { names: ['one'], now: 0, asked: 0, broken: false, silent: false };
  const graphs = new GraphIdCache(
    {
      async graphs() {
        world.asked += 1;
        if (world.silent) await new Promise(() => {});
        if (world.broken) throw new Error('the store is away');
        return world.names.map((name, id) => ({ name, id, createdAt: 0 }));
      },
    },
    () => world.now,
  );
  return { world, graphs };
}

test('trust 22: a graph that is gone is missed within a second, and the store is not asked for every request', async () => {
  const { world, graphs } = changing();
  await graphs.idOf('one');
  world.names = [];
  for (world.now = 0; world.now < 500; world.now += 1) await graphs.idOf('one');
  expect(world.asked).toBe(1);
  world.now = 1_000;
  expect(await Promise.all([graphs.idOf('one'), graphs.idOf('one')])).toEqual([undefined, undefined]);
  expect(world.asked).toBe(2);
});

test('a graph that was just created is found at once', async () => {
  const { world, graphs } = changing();
  expect(await graphs.idOf('two')).toBeUndefined();
  world.names = ['one', 'two'];
  expect(await graphs.idOf('two')).toBe(1);
});

test('while the store cannot be asked, what was known stays', async () => {
  const { world, graphs } = changing();
  await graphs.idOf('one');
  world.broken = true;
  world.now = 10_000;
  expect(await graphs.idOf('one')).toBe(0);
  await expect(graphs.idOf('two')).rejects.toThrow('the store is away');
});

test('a store that retries does not keep a call waiting: what was known is used meanwhile', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { world, graphs } = changing();
  await graphs.idOf('one');
  world.silent = true;
  world.now = 10_000;
  const found = graphs.idOf('one');
  await vi.advanceTimersByTimeAsync(500);
  expect(await found).toBe(0);
});

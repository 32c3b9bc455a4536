import { setImmediate as round } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readInChunks, writeChunkSize, writeInChunks } from './chunks.js';
import { TimeSlice } from './time-slice.js';
import { filterYielding, forEachYielding, mapYielding, sortYielding } from './yielding-loops.js';

test('trust 32: of all who give others a turn, one goes on in each round of the event loop', async () => {
  const events: string[] = [];
  const work = ['a', 'b', 'c'].map(async (name) => {
    await new TimeSlice().yieldToOthers();
    events.push(name);
  });
  const others = (async () => {
    for (let nth = 1; nth <= 3; nth++) {
      await round();
      events.push(`round ${nth}`);
    }
  })();
  await Promise.all([...work, others]);
  expect(events).toEqual(['a', 'round 1', 'b', 'round 2', 'c', 'round 3']);
});

test('trust 32: tasks that compute in the same round of the event loop share a slice', () => {
  const patient = new TimeSlice(60_000);
  new TimeSlice();
  computeFor(12);
  const late = new TimeSlice();
  computeFor(3);
  expect(late.isOver).toBe(true);
  expect(patient.isOver).toBe(false);
});

test('trust 32: a long list is done in portions', async () => {
  const items = Array.from({ length: 2 * writeChunkSize + 1 }, (_, index) => index);
  const written: number[][] = [];
  await writeInChunks(items, (some) => {
    written.push([...some]);
  });
  expect(written.map(({ length }) => length)).toEqual([writeChunkSize, writeChunkSize, 1]);
  expect(written.flat()).toEqual(items);
  const asked: number[] = [];
  const found = await readInChunks(
    items,
    async (some) => {
      asked.push(some.length);
      return some.map(String);
    },
    400,
  );
  expect(asked).toEqual([400, 101]);
  expect(found).toEqual(items.map(String));
});

test('what is done in turns comes to the same as what is done at once', async () => {
  const items = Array.from({ length: 1_000 }, (_, index) => index);
  const seen: number[] = [];
  await forEachYielding(items, (item) => seen.push(item));
  expect(seen).toEqual(items);
  expect(await mapYielding(items, (item) => item * 2)).toEqual(items.map((item) => item * 2));
  expect(await filterYielding(items, (item) => item % 3 === 0)).toEqual(
    items.filter((item) => item % 3 === 0),
  );
  expect(mapYielding([1, 2], String)).toEqual(['1', '2']);
});

test.each([
  ['in order', (index: number) => index],
  ['in reverse', (index: number) => -index],
  ['mixed, and often equal', (index: number) => (index * 7_919) % 1_009],
])('a list of any length that is %s is sorted, and equal items keep their order', async (_, keyOf) => {
  for (const length of [0, 1, 2_000, 2_001, 10_007]) {
    const items = Array.from({ length }, (_item, index) => ({ key: keyOf(index), index }));
    const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key;
    const before = [...items];
    expect(await sortYielding(items, byKey)).toEqual([...items].sort(byKey));
    expect(items).toEqual(before);
  }
});

function computeFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

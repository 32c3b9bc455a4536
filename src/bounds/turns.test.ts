import { setImmediate as round } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { filterInTurns, inTurns, mapInTurns } from './in-turns.js';
import { readInPortions, writeInPortions, writtenPortion } from './portions.js';
import { Turns } from './turns.js';

test('trust 32: of all who give others a turn, one goes on in each round of the event loop', async () => {
  const events: string[] = [];
  const work = ['a', 'b', 'c'].map(async (name) => {
    await new Turns().give();
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

test('trust 32: a long list is done in portions', async () => {
  const items = Array.from({ length: 2 * writtenPortion + 1 }, (_, index) => index);
  const written: number[][] = [];
  await writeInPortions(items, (some) => {
    written.push([...some]);
  });
  expect(written.map(({ length }) => length)).toEqual([writtenPortion, writtenPortion, 1]);
  expect(written.flat()).toEqual(items);
  const asked: number[] = [];
  const found = await readInPortions(
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
  await inTurns(items, (item) => seen.push(item));
  expect(seen).toEqual(items);
  expect(await mapInTurns(items, (item) => item * 2)).toEqual(items.map((item) => item * 2));
  expect(await filterInTurns(items, (item) => item % 3 === 0)).toEqual(
    items.filter((item) => item % 3 === 0),
  );
  expect(mapInTurns([1, 2], String)).toEqual(['1', '2']);
});

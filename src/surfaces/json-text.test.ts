import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText, jsonTextAsync } from './json-text.js';

test('trust 32: a long answer is printed in turns, and comes to the same text', async () => {
  const entities = Array.from({ length: 3_000 }, (_, index) => ({
    name: `"n"\n${index}`,
    observations: [`a ${index}`, 'b\tc'],
    none: undefined,
    ...(index % 2 === 0 ? { props: { deep: [{ x: index }, []] } } : {}),
  }));
  const answer = { entities, relations: [], nothing: undefined, data: { nodes: entities }, nextCursor: 'x' };
  let othersRan = false;
  setImmediate(() => {
    othersRan = true;
  });
  const text = await jsonTextAsync(answer);
  expect(othersRan).toBe(true);
  expect(text).toBe(jsonText(answer));
});

test('whatever the answer, the text is the same', async () => {
  const large = Array.from({ length: 2_100 }, () => 0);
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect(await jsonTextAsync(value)).toBe(jsonText(value));
      expect(await jsonTextAsync({ value, large })).toBe(jsonText({ value, large }));
      expect(await jsonTextAsync([large, [value]])).toBe(jsonText([large, [value]]));
    }),
    { numRuns: 50 },
  );
});

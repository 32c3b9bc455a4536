import { expect, test } from 'vitest';
import { IngestBudget } from './ingest-budget.js';

const bytes = (count: number) => [new Uint8Array(count)];

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<number> {
  let read = 0;
  for await (const chunk of stream) read += chunk.byteLength;
  return read;
}

test('batches that are loaded at the same time share the room, until each has ended', async () => {
  const room = new IngestBudget(100);
  let end = () => {};
  const first = room.use(bytes(60), async (stream) => {
    await readAll(stream);
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return 'first';
  });
  expect(await room.use(bytes(40), readAll)).toBe(40);
  await expect(room.use(bytes(41), readAll)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
  // What was refused takes no room.
  expect(await room.use(bytes(40), readAll)).toBe(40);
  end();
  expect(await first).toBe('first');
  expect(await room.use(bytes(100), readAll)).toBe(100);
});

test('work that fails gives its room back', async () => {
  const room = new IngestBudget(100);
  const failing = room.use(bytes(90), async (stream) => {
    await readAll(stream);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await room.use(bytes(90), readAll)).toBe(90);
});

test('one that is alone is not held up by the room: its own bound is another', async () => {
  expect(await new IngestBudget(10).use(bytes(50), readAll)).toBe(50);
});

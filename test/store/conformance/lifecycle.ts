import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { StoreContext } from './context.js';
import { put } from './graph-by-name.js';

/** Opening, checking and closing. */
export function lifecycleConformance(context: StoreContext): void {
  const { write, look } = context;
  test('declares its capabilities', () => {
    expect(context.store.capabilities).toEqual(context.kind.capabilities);
  });

  test('says how many bytes it takes', async () => {
    const { data: before } = await context.store.size();
    const text = randomBytes(200_000).toString('hex');
    await write((writer) => put(writer, { nodes: { a: [text] } }));
    const { data, log } = await context.store.size();
    expect(data - before).toBeGreaterThan(200_000);
    expect(log ?? 0).toBeLessThanOrEqual(data);
  });

  test('check finds nothing wrong with a healthy store', async () => {
    await write((writer) => put(writer, { nodes: { a: ['one'] } }));
    expect(await context.store.check()).toEqual([]);
  });

  test('a closed store takes no more writes', async () => {
    await context.store.close();
    await expect(write((writer) => put(writer, { nodes: { a: [] } }))).rejects.toMatchObject({
      code: 'STOPPED',
    });
    await context.reopen();
    expect(await look()).toEqual({ nodes: {}, edges: [] });
  });
}

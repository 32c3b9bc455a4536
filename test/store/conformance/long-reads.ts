import { describe, expect, test } from 'vitest';
import type { ReadOptions } from '../../../src/store/read-options.js';
import type { Reader } from '../../../src/store/reader.js';
import { main, type StoreContext } from './context.js';
import { put, seen } from './graph-by-name.js';

const never = () => new Promise<never>(() => {});

/** Reads that may take long, and are ended. */
export function longReadsConformance(context: StoreContext): void {
  const { write, look } = context;
  const read = <T>(work: (reader: Reader) => Promise<T>, options: ReadOptions = {}) =>
    context.store.read(main, work, { length: 'unbounded', ...options });
  /** A read that does what it can for as long as it may. */
  const restless = async (reader: Reader) => {
    for (;;) await reader.counts();
  };

  describe.each(['linear', 'unbounded'] as const)('%s reads', (length) => {
    test('show what short ones do', async () => {
      await write((writer) => put(writer, { nodes: { a: ['Über', 'two'], b: [] }, edges: ['a knows b'] }));
      expect(await read(seen, { length })).toEqual(await look());
      expect(await read((reader) => reader.nodesContaining('über'), { length })).toEqual(
        await context.read((reader) => reader.nodesContaining('über')),
      );
    });

    test('pass on what their work throws, and others follow', async () => {
      const wrong = new Error('wrong');
      await expect(read(() => Promise.reject(wrong), { length })).rejects.toBe(wrong);
      await expect(
        context.store.read({ graph: 'none' }, (reader) => reader.counts(), { length }),
      ).rejects.toMatchObject({ code: 'GRAPH_NOT_FOUND' });
      expect(await read((reader) => reader.counts(), { length })).toMatchObject({ nodes: 0 });
    });

    test('end at their time limit, whatever they are doing', async () => {
      const late = { length, timeLimit: 50 };
      await expect(read(never, late)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
      await expect(read(restless, late)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
      await write((writer) => put(writer, { nodes: { a: [] } }));
      expect(await read(seen, { length })).toEqual(await look());
    });

    test.runIf(context.kind.concurrent)('end when the store is closed, also those that wait', async () => {
      let begin = () => {};
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const reads = Array.from({ length: 20 }, (_, index) =>
        read(
          async (reader) => {
            await reader.counts();
            begin();
            return restless(reader);
          },
          { length, actor: `agent ${index % 7}` },
        ),
      );
      const ended = Promise.allSettled(reads);
      await begun;
      await context.reopen();
      for (const outcome of await ended) expect(outcome).toMatchObject({ reason: { code: 'STOPPED' } });
      expect(await read((reader) => reader.counts(), { length })).toMatchObject({ nodes: 0 });
    });

    test('end when whoever asked leaves', async () => {
      const caller = new AbortController();
      const left = read(restless, { length, signal: caller.signal });
      setTimeout(() => caller.abort(), 20);
      await expect(left).rejects.toMatchObject({ code: 'CANCELLED' });
      await expect(read(seen, { length, signal: caller.signal })).rejects.toMatchObject({
        code: 'CANCELLED',
      });
      expect(await read(seen, { length })).toEqual(await look());
    });
  });

  test('the reader of one that was ended answers nothing more', async () => {
    const caller = new AbortController();
    let kept: Reader | undefined;
    const left = read(
      (reader) => {
        kept = reader;
        caller.abort();
        return never();
      },
      { signal: caller.signal },
    );
    await expect(left).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(kept).toBeDefined();
    await expect(kept?.counts()).rejects.toThrow();
  });

  test('many at once are all answered', async () => {
    await write((writer) => put(writer, { nodes: { a: [], b: [] } }));
    const counts = await Promise.all(Array.from({ length: 20 }, () => read((reader) => reader.counts())));
    expect(counts.map(({ nodes }) => nodes)).toEqual(Array(20).fill(2));
  });

  test.runIf(context.kind.concurrent)('closing ends them, and what was written is there', async () => {
    const ended = expect(read(restless)).rejects.toMatchObject({ code: 'STOPPED' });
    await write((writer) => put(writer, { nodes: { a: [] } }));
    await context.reopen();
    await ended;
    expect(await look()).toMatchObject({ nodes: { a: [] } });
  });

  test.runIf(context.kind.concurrent)(
    'nobody waits for one, and it sees one state until it is done',
    async () => {
      await write((writer) => put(writer, { nodes: { a: [] } }));
      const states = await read(async (reader) => {
        const before = await seen(reader);
        await write((writer) => put(writer, { nodes: { b: [] } }));
        const others = await look();
        return { before, others, after: await seen(reader) };
      });
      expect(states.after).toEqual(states.before);
      expect(states.others).not.toEqual(states.before);
      expect(await read(seen)).toEqual(states.others);
    },
  );
}

import { describe, expect, test } from 'vitest';
import type { RejectionDraft } from '../../../src/model/rejection.js';
import { graphDigest } from '../../../src/transfer/graph-digest.js';
import { keptRejections, main, type StoreContext } from './context.js';
import { put } from './graph-by-name.js';

const draft: RejectionDraft = {
  code: 'SCHEMA_UNKNOWN_LABEL',
  tool: 'write_node',
  actor: 'ann',
  time: 1_000,
  message: 'No such label.',
  arguments: { label: 'Persn', properties: { name: 'Ada' } },
  details: { known: ['Person'] },
};

/** Writes that were not let in are kept, beside the graph. */
export function rejectionsConformance(context: StoreContext): void {
  const keep = (changes: Partial<RejectionDraft> = {}, graph = 'default') =>
    context.store.keepRejection(graph, { ...draft, ...changes });
  const messages = async (page?: Parameters<typeof context.store.rejections>[1]) =>
    (await context.store.rejections('default', page)).map(({ message }) => message);

  describe.runIf(!context.kind.capabilities.rejections)('rejections', () => {
    test('are refused, saying where they could be kept', async () => {
      const refusal = { code: 'CAPABILITY_MISSING', hint: expect.stringContaining('trellis import') };
      await expect(keep()).rejects.toMatchObject(refusal);
      await expect(context.store.rejections('default')).rejects.toMatchObject(refusal);
    });
  });

  describe.runIf(context.kind.capabilities.rejections)('rejections', () => {
    test('are kept as they are told, and survive closing and opening', async () => {
      await keep();
      await context.reopen();
      expect(await context.store.rejections('default')).toEqual([{ ...draft, id: 1 }]);
    });

    test('are listed newest first, by page, time and code', async () => {
      for (const [message, time, code] of [
        ['one', 10, 'A'],
        ['two', 20, 'B'],
        ['three', 30, 'A'],
        ['four', 40, 'A'],
      ] as const)
        await keep({ message, time, code });
      expect(await messages()).toEqual(['four', 'three', 'two', 'one']);
      expect(await messages({ limit: 2 })).toEqual(['four', 'three']);
      const [, three] = await context.store.rejections('default');
      expect(await messages({ before: three?.id })).toEqual(['two', 'one']);
      expect(await messages({ since: 20 })).toEqual(['four', 'three', 'two']);
      expect(await messages({ code: 'A', since: 20, limit: 1 })).toEqual(['four']);
      expect(await messages({ code: 'A', before: three?.id })).toEqual(['one']);
      expect(await messages({ code: 'C' })).toEqual([]);
    });

    test('take whatever an agent may have sent', async () => {
      const hostile = {
        message: 'NUL \0, half a pair \ud800, ☃',
        actor: '\0',
        arguments: JSON.parse('{"__proto__":{"a":"\\u0000"},"constructor":["\\udc00",1e400,null]}'),
      };
      await keep(hostile);
      const [kept] = await context.store.rejections('default');
      expect(JSON.stringify(kept)).toBe(JSON.stringify({ id: 1, ...kept, ...hostile }));
      expect(Object.keys(Object(kept?.arguments))).toEqual(['__proto__', 'constructor']);
    });

    test('of graphs are kept apart, and a graph that is not there has none', async () => {
      await context.store.createGraph('other');
      await keep({ message: 'here' });
      await keep({ message: 'there' }, 'other');
      expect(await messages()).toEqual(['here']);
      expect(await context.store.rejections('other')).toMatchObject([{ message: 'there' }]);
      const refusal = { code: 'GRAPH_NOT_FOUND' };
      await expect(keep({}, 'nowhere')).rejects.toMatchObject(refusal);
      await expect(context.store.rejections('nowhere')).rejects.toMatchObject(refusal);
    });

    test('that come at once are all kept, each with an id of its own', async () => {
      const sent = Array.from({ length: 40 }, (_, index) => `${index}`);
      await Promise.all([
        ...sent.map((message) => keep({ message })),
        context.write((writer) => put(writer, { nodes: { a: [] } })),
      ]);
      const kept = await context.store.rejections('default');
      expect(kept.map(({ message }) => message).sort()).toEqual([...sent].sort());
      expect(kept.map(({ id }) => id)).toEqual(sent.map((_, index) => sent.length - index));
      expect((await context.look()).nodes).toEqual({ a: [] });
    });

    test('may be kept by several processes at once', async () => {
      const other = await context.another();
      const sent = Array.from({ length: 30 }, (_, index) => `${index}`);
      await Promise.all(
        sent.map((message, index) =>
          (index % 2 === 0 ? other : context.store).keepRejection('default', { ...draft, message }),
        ),
      );
      await other.close();
      const kept = await context.store.rejections('default');
      expect(kept.map(({ message }) => message).sort()).toEqual([...sent].sort());
      expect(kept.map(({ id }) => id)).toEqual(sent.map((_, index) => sent.length - index));
    });

    test('are no part of the graph: no commit, no change of its digest', async () => {
      await context.write((writer) => put(writer, { nodes: { a: ['one'] } }));
      const before = await graphDigest(context.store, 'default');
      await keep();
      expect(await context.store.commits(main)).toHaveLength(1);
      expect(await graphDigest(context.store, 'default')).toBe(before);
    });

    test('are so many at most, of which the oldest go first', async () => {
      await context.store.createGraph('other');
      await keep({}, 'other');
      const numbers = Array.from({ length: keptRejections + 5 }, (_, index) => index + 1);
      for (const number of numbers) await keep({ message: `${number}` });
      expect(await messages()).toEqual(numbers.slice(5).reverse().map(String));
      expect(await context.store.rejections('other')).toHaveLength(1);
    });
  });
}

import { describe, expect, test } from 'vitest';
import type { Writer } from '../../../src/store/contract.js';
import type { StoreContext } from './context.js';
import { put } from './graph-by-name.js';

/** Earlier commits can be read. */
export function historyConformance(context: StoreContext): void {
  const { write, read, look } = context;
  describe('history', () => {
    test('a commit is read as it was, for ever', async () => {
      const commits: { id: string; state: unknown }[] = [];
      const step = async (work: (writer: Writer) => Promise<unknown>) => {
        const { commit } = await write(work);
        commits.push({ id: commit?.id ?? '', state: await look() });
      };
      await step((writer) => put(writer, { nodes: { a: ['one'], b: [] }, edges: ['a to b'] }));
      await step((writer) => put(writer, { nodes: { c: ['two'] }, edges: ['c to a'] }));
      await step(async (writer) =>
        writer.removeNodes((await writer.nodesNamed(['a'])).map((node) => node.id)),
      );
      await step((writer) => put(writer, { nodes: { a: ['back again'] }, edges: ['a to c'] }));
      await step(async (writer) => writer.removeEdges(await writer.edges()));
      for (const { id, state } of commits) expect(await look(undefined, id)).toEqual(state);
    });

    test('text search and updatedAt honour the commit that is read', async () => {
      const { commit, result: ids } = await write((writer) => put(writer, { nodes: { a: ['zanzibar'] } }));
      context.now += 1000;
      await write((writer) => writer.removeObservations([{ node: ids['a'] ?? 0, ordinal: 1 }]));
      await read(
        async (reader) => {
          expect((await reader.nodesContaining('zanzibar')).nodes).toEqual([ids['a']]);
          expect(await reader.updatedAt([ids['a'] ?? 0])).toEqual(new Map([[ids['a'], context.now - 1000]]));
        },
        undefined,
        commit?.id,
      );
      expect((await read((reader) => reader.nodesContaining('zanzibar'))).nodes).toEqual([]);
    });
  });
}

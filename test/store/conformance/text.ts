import { describe, expect, test } from 'vitest';
import type { StoreContext } from './context.js';
import { put } from './graph-by-name.js';

/** Candidates for search are complete. */
export function textConformance(context: StoreContext): void {
  const { write, read } = context;
  describe('text', () => {
    test('nodesContaining proposes every node with the substring, however short, in name, type or observation', async () => {
      await write(async (writer) => {
        await put(writer, { nodes: { Alpha: ['Likes TEA'], Beta: ['drinks coffee'] } });
        await put(writer, { nodes: { Gamma: [] }, type: 'Teacher' });
      });
      const containing = (needle: string) =>
        read(async (reader) => {
          const { nodes } = await reader.nodesContaining(needle);
          return (await reader.nodesById(nodes)).map((node) => node.name);
        });
      expect(await containing('tea')).toEqual(['Alpha', 'Gamma']);
      expect(await containing('kes te')).toEqual(['Alpha']);
      expect(await containing('fe')).toEqual(['Beta']);
      expect(await containing('likes teapots')).toEqual([]);
    });

    test('nodesWithWords finds stems, rarest first', async () => {
      await write((writer) =>
        put(writer, {
          nodes: { a: ['She was running home'], b: ['a run of luck'], c: ['runs, and walks'] },
        }),
      );
      const hits = await read((reader) => reader.nodesWithWords(['run', 'walk', 'nothing'], 10));
      expect(hits.map(({ stem, nodes }) => [stem, nodes.length])).toEqual([
        ['nothing', 0],
        ['walk', 1],
        ['run', 3],
      ]);
    });

    test('search finds the same before and after the index has caught up', async () => {
      await write((writer) => put(writer, { nodes: { a: ['zanzibar ferry'], b: ['nothing here'] } }));
      const find = () => read(async (reader) => (await reader.nodesContaining('zanzibar')).nodes.length);
      const words = () =>
        read(async (reader) => (await reader.nodesWithWords(['zanzibar'], 5))[0]?.nodes.length);
      expect([await find(), await words()]).toEqual([1, 1]);
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect([await find(), await words()]).toEqual([1, 1]);
    });

    test('what was deleted is not found', async () => {
      const { result: ids } = await write((writer) => put(writer, { nodes: { a: ['zanzibar'], b: [] } }));
      await write((writer) => writer.removeObservations([{ node: ids['a'] ?? 0, ordinal: 1 }]));
      expect((await read((reader) => reader.nodesContaining('zanzibar'))).nodes).toEqual([]);
    });
  });
}

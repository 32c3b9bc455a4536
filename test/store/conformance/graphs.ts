import { describe, expect, test } from 'vitest';
import { author, type StoreContext } from './context.js';
import { put } from './graph-by-name.js';

/** Graphs in one store are apart. */
export function graphsConformance(context: StoreContext): void {
  const { write, read, look } = context;
  describe.runIf(context.kind.capabilities.graphs)('graphs', () => {
    test('graphs are apart: names, search and counts', async () => {
      await context.store.createGraph('other');
      await write((writer) => put(writer, { nodes: { a: ['zanzibar'] } }));
      await context.store.write({ graph: 'other' }, author, (writer) =>
        put(writer, { nodes: { a: ['zanzibar'], b: [] } }),
      );
      expect((await context.store.graphs()).map((graph) => graph.name)).toEqual(['default', 'other']);
      expect(await look()).toEqual({ nodes: { a: ['zanzibar'] }, edges: [] });
      expect((await read((reader) => reader.nodesContaining('zanzibar'))).nodes).toHaveLength(1);
      expect(await read((reader) => reader.observationsWithWords(['zanzibar'], { limit: 9 }))).toHaveLength(
        1,
      );
      expect((await read((reader) => reader.wordStatistics(['zanzibar']))).texts.get('zanzibar')).toBe(1);
    });

    test('a graph is made once', async () => {
      await expect(context.store.createGraph('default')).rejects.toMatchObject({ code: 'GRAPH_EXISTS' });
    });
  });
}

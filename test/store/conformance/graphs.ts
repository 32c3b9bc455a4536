import { describe, expect, test } from 'vitest';
import { author, type StoreContext } from './context.js';
import { put, seen } from './graph-by-name.js';

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

    test('a graph that is renamed keeps what it holds, and is not found under its old name', async () => {
      const { commit } = await write((writer) => put(writer, { nodes: { a: ['one'] } }));
      await context.store.createBranch('default', 'try');
      const other = await context.openAnother();
      await context.store.renameGraph('default', 'work');
      expect((await context.store.graphs()).map(({ name }) => name)).toEqual(['work']);
      for (const store of [context.store, other]) {
        await expect(store.read({ graph: 'default' }, seen)).rejects.toMatchObject({
          code: 'GRAPH_NOT_FOUND',
        });
        expect(await store.read({ graph: 'work' }, seen)).toEqual({ nodes: { a: ['one'] }, edges: [] });
        expect((await store.commits({ graph: 'work' }))[0]?.id).toBe(commit?.id);
        expect((await store.branches('work')).map(({ name }) => name)).toEqual(['main', 'try']);
      }
      await other.close();
    });

    test.each([
      ['a name that is taken', 'default', 'other', 'GRAPH_EXISTS'],
      ['its own name', 'default', 'default', 'GRAPH_EXISTS'],
      ['a graph that is not there', 'nowhere', 'new', 'GRAPH_NOT_FOUND'],
      ['no name', 'default', '', 'INVALID_ARGUMENT'],
      ['a name the databases would mangle', 'default', 'a\0b', 'INVALID_ARGUMENT'],
    ])('renaming is refused for %s, and changes nothing', async (_, from, to, code) => {
      await context.store.createGraph('other');
      const before = await context.store.graphs();
      await expect(context.store.renameGraph(from, to)).rejects.toMatchObject({ code });
      expect(await context.store.graphs()).toEqual(before);
    });
  });
}

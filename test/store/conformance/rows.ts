import { describe, expect, test } from 'vitest';
import { zeroChangeCounts } from '../../../src/model/commit.js';
import type { Reader } from '../../../src/store/reader.js';
import type { StoreContext } from './context.js';
import { put } from './graph-by-name.js';

/** Nodes, observations, edges and stubs are kept as written. */
export function rowsConformance(context: StoreContext): void {
  const { write, read, look } = context;
  describe('nodes, observations, edges', () => {
    test('what was written is read back in creation order', async () => {
      await write((writer) => put(writer, { nodes: { b: ['one', 'two'], a: [] } }));
      await write((writer) => put(writer, { nodes: { c: ['three'] }, edges: ['b knows a', 'c knows c'] }));
      expect(await look()).toEqual({
        nodes: { b: ['one', 'two'], a: [], c: ['three'] },
        edges: ['b knows a', 'c knows c'],
      });
      expect(await read(async (reader) => (await reader.nodes()).map((node) => node.name))).toEqual([
        'b',
        'a',
        'c',
      ]);
    });

    test('it survives closing and opening', async () => {
      await write((writer) => put(writer, { nodes: { a: ['one'] }, edges: ['a likes a'] }));
      await context.reopen();
      expect(await look()).toEqual({ nodes: { a: ['one'] }, edges: ['a likes a'] });
    });

    test('nodes keep type, summary, tags and the place in the order across versions', async () => {
      await write((writer) => put(writer, { nodes: { a: [], b: [] } }));
      await write(async (writer) => {
        const [a] = await writer.nodesNamed(['a']);
        if (a) await writer.putNodes([{ ...a, summary: 'first', tags: ['x', 'y'] }]);
      });
      const nodes = await read((reader) => reader.nodes());
      expect(nodes.map(({ name, type, summary, tags }) => ({ name, type, summary, tags }))).toEqual([
        { name: 'a', type: 'thing', summary: 'first', tags: ['x', 'y'] },
        { name: 'b', type: 'thing', summary: null, tags: [] },
      ]);
    });

    test('ordinals start at 1, count per node, and are never reused', async () => {
      const ordinals = async () =>
        (await read((reader) => reader.observations())).map(({ ordinal, text }) => [ordinal, text]);
      await write((writer) => put(writer, { nodes: { a: ['one', 'two', 'three'] } }));
      await write(async (writer) => {
        const [a] = await writer.nodesNamed(['a']);
        if (a) await writer.removeObservations([{ node: a.id, ordinal: 3 }]);
      });
      await write(async (writer) => {
        const [a] = await writer.nodesNamed(['a']);
        if (a) await writer.putObservations([{ node: a.id, text: 'four' }]);
      });
      expect(await ordinals()).toEqual([
        [1, 'one'],
        [2, 'two'],
        [4, 'four'],
      ]);
    });

    test('replacing an observation keeps its ordinal', async () => {
      await write((writer) => put(writer, { nodes: { a: ['one', 'two'] } }));
      const { commit } = await write(async (writer) => {
        const [a] = await writer.nodesNamed(['a']);
        if (a) await writer.putObservations([{ node: a.id, ordinal: 1, text: 'uno' }]);
      });
      expect(commit?.counts).toEqual({ ...zeroChangeCounts, observationsUpdated: 1 });
      expect(await look()).toEqual({ nodes: { a: ['uno', 'two'] }, edges: [] });
    });

    test('a node made again is the same node: its id and its counter go on', async () => {
      const { result: first } = await write((writer) => put(writer, { nodes: { a: ['one', 'two'] } }));
      await write((writer) => writer.removeNodes([first['a'] ?? 0]));
      const { result: second } = await write((writer) => put(writer, { nodes: { a: ['three'] } }));
      expect(second['a']).toBe(first['a']);
      const [observation] = await read((reader) => reader.observations());
      expect(observation).toMatchObject({ ordinal: 3, text: 'three' });
    });

    test('removing a node removes its observations and every edge that touches it, and answers those edges', async () => {
      const { result: ids } = await write((writer) =>
        put(writer, {
          nodes: { a: ['one'], b: [], c: [] },
          edges: ['a knows b', 'b knows a', 'b knows c'],
        }),
      );
      const { result: removed, commit } = await write((writer) => writer.removeNodes([ids['a'] ?? 0]));
      expect(removed.map((edge) => `${edge.fromName} ${edge.type} ${edge.toName}`)).toEqual([
        'a knows b',
        'b knows a',
      ]);
      expect(await look()).toEqual({ nodes: { b: [], c: [] }, edges: ['b knows c'] });
      expect(commit?.counts).toEqual({
        ...zeroChangeCounts,
        nodesDeleted: 1,
        observationsDeleted: 1,
        edgesDeleted: 2,
      });
    });

    test('direction and type make an edge another edge; putting the same one replaces it', async () => {
      await write((writer) =>
        put(writer, { nodes: { a: [], b: [] }, edges: ['a knows b', 'b knows a', 'a likes b'] }),
      );
      const { commit } = await write(async (writer) => {
        const [edge] = await writer.edges();
        if (edge) await writer.putEdges([{ ...edge, weight: 0.25 }]);
      });
      expect(commit?.counts).toEqual({ ...zeroChangeCounts, edgesUpdated: 1 });
      const edges = await read((reader) => reader.edges());
      expect(edges.map((edge) => [edge.type, edge.weight])).toEqual([
        ['knows', 0.25],
        ['knows', 1],
        ['likes', 1],
      ]);
    });

    test('edges are found by either end, by identity, and by page', async () => {
      const { result: ids } = await write((writer) =>
        put(writer, { nodes: { a: [], b: [], c: [] }, edges: ['a to b', 'b to c', 'c to a', 'a to a'] }),
      );
      const names = (edges: readonly { fromName: string; toName: string }[]) =>
        edges.map((edge) => edge.fromName + edge.toName);
      const [a = 0, b = 0] = [ids['a'], ids['b']];
      expect(names(await read((reader) => reader.edgesOf([a])))).toEqual(['ab', 'ca', 'aa']);
      expect(
        names(
          await read((reader) =>
            reader.edgesByIdentity([
              { from: a, to: b, type: 'to', key: '' },
              { from: b, to: a, type: 'to', key: '' },
            ]),
          ),
        ),
      ).toEqual(['ab']);
      const [first, second] = await read((reader) => reader.edges({ limit: 2 }));
      expect(names([first, second].flatMap((edge) => edge ?? []))).toEqual(['ab', 'bc']);
      expect(names(await read((reader) => reader.edges({ after: second?.order })))).toEqual(['ca', 'aa']);
    });

    test('stubs are found by name and by stubs(), and are in no list of nodes, counts or search', async () => {
      await write(async (writer) => {
        const [identity] = await writer.addIdentities([{ type: '', name: 'ghost' }]);
        if (identity) await writer.putNodes([{ id: identity.node, type: '', name: 'ghost', stub: true }]);
      });
      await read(async (reader) => {
        expect(await reader.nodes()).toEqual([]);
        expect((await reader.stubs()).map((stub) => stub.name)).toEqual(['ghost']);
        expect((await reader.nodesNamed(['ghost'])).map((stub) => stub.stub)).toEqual([true]);
        expect((await reader.counts()).nodes).toBe(0);
        expect((await reader.nodesContaining('ghost')).nodes).toEqual([]);
      });
    });

    test('pages of nodes follow on each other and can be limited to types', async () => {
      await write(async (writer) => {
        await put(writer, { nodes: { a: [], b: [] } });
        await put(writer, { nodes: { x: [] }, type: 'other' });
        await put(writer, { nodes: { c: [] } });
      });
      const names = async (page: Parameters<Reader['nodes']>[0]) =>
        (await read((reader) => reader.nodes(page))).map((node) => node.name);
      const [, second] = await read((reader) => reader.nodes({ limit: 2 }));
      expect(await names({ limit: 2 })).toEqual(['a', 'b']);
      expect(await names({ after: second?.order, limit: 2 })).toEqual(['x', 'c']);
      expect(await names({ types: ['other'] })).toEqual(['x']);
      expect(await names({ types: [] })).toEqual([]);
    });

    test('counts what a reader sees', async () => {
      await write((writer) => put(writer, { nodes: { a: ['one', 'two'], b: [] }, edges: ['a to b'] }));
      expect(await read((reader) => reader.counts())).toEqual({ nodes: 2, observations: 2, edges: 1 });
    });

    test.each([
      '__proto__',
      'constructor',
      "Robert'); drop table node_row;--",
      '"',
      '%',
      '*',
      'NEAR(a b)',
      '🧠 ☃',
      '日本語',
    ])('the name %j is data like any other', async (name) => {
      await write((writer) => put(writer, { nodes: { [`${name}`]: [`about ${name}`] }, edges: [] }));
      const [node] = await read((reader) => reader.nodesNamed([name]));
      expect(node?.name).toBe(name);
      const hits = await read((reader) => reader.nodesContaining(name.toLowerCase()));
      expect(hits.nodes).toEqual([node?.id]);
    });
  });
}

import { describe, expect, test } from 'vitest';
import { edgeKey } from '../../../src/model/edge.js';
import type { TouchedItems } from '../../../src/store/read-results.js';
import type { Writer } from '../../../src/store/writer.js';
import { author, main, type StoreContext } from './context.js';
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

    test('history is told from the beginning, commit by commit, with what each touched', async () => {
      const { result: ids } = await write((writer) =>
        put(writer, { nodes: { a: ['one'], b: [] }, edges: ['a to b'] }),
      );
      await write((writer) => writer.putObservations([{ node: ids['b'] ?? 0, text: 'two' }]));
      await write((writer) => writer.removeNodes([ids['a'] ?? 0]));
      const commits = await context.store.commitsSince('default', 0, 10);
      const edge = { from: ids['a'], to: ids['b'], type: 'to', key: '' };
      expect(await Promise.all(commits.map((commit) => context.store.touchedBy('default', commit)))).toEqual([
        { nodes: [ids['a'], ids['b']], edges: [edge] },
        { nodes: [ids['b']], edges: [] },
        { nodes: [ids['a']], edges: [edge] },
      ]);
      const [, second, third] = commits;
      expect(await context.store.commitsSince('default', second?.seq ?? 0, 10)).toEqual([third]);
      expect(await context.store.commitsSince('default', 0, 1)).toHaveLength(1);
    });

    test('what commits touched is told in full, however much it is', async () => {
      const names = Array.from({ length: 1_200 }, (_, index) => `node-${index}`);
      const { commit: first, result: ids } = await write((writer) =>
        put(writer, {
          nodes: Object.fromEntries(names.map((name) => [name, []])),
          edges: names.map((name) => `${name} to ${names[0]}`),
        }),
      );
      const { commit: second } = await write((writer) =>
        put(writer, { nodes: { [names[7] ?? '']: ['new'] } }),
      );
      const nodes = names.map((name) => ids[name]);
      const asTexts = ({ nodes, edges }: TouchedItems) =>
        [...nodes.map(String), ...edges.map(edgeKey)].sort();
      const all = asTexts({
        nodes: nodes.map((id) => id ?? 0),
        edges: nodes.map((id) => ({ from: id ?? 0, to: ids[names[0] ?? ''] ?? 0, type: 'to', key: '' })),
      });
      const [, made] = await context.store.commits(main);
      expect(made?.id).toBe(first?.id);
      if (made === undefined) return;
      expect(asTexts(await context.store.touchedBy('default', made))).toEqual(all);
      const unseen = await read(async (reader) => (await reader.at(null)).unseen(second?.id ?? ''));
      expect(asTexts(unseen.touched)).toEqual(all);
    });

    test('a commit brought from elsewhere keeps its id and time', async () => {
      const stamp = { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', time: 1_000 };
      const { commit } = await context.store.write(
        main,
        author,
        (writer) => put(writer, { nodes: { a: [] } }),
        stamp,
      );
      expect(commit).toMatchObject(stamp);
      const [node] = await read((reader) => reader.nodes());
      expect(node?.createdAt).toBe(1_000);
    });
  });
}

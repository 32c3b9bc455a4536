import { beforeEach, describe, expect, test } from 'vitest';
import { author, main, type StoreContext } from './context.js';
import { put } from './graph-by-name.js';

const day = 86_400_000;

/** Old versions are dropped, and nothing that can be seen changes. */
export function collectingConformance(context: StoreContext): void {
  const { write, read, look } = context;
  describe.runIf(context.kind.capabilities.branches)('collecting', () => {
    let id: number;
    const say = async (text: string, branch?: string) =>
      (await write((writer) => writer.putObservations([{ node: id, ordinal: 1, text }]), branch)).commit
        ?.id ?? '';
    const collect = (before = context.now, dryRun = false) =>
      context.store.collect('default', { before, dryRun });
    const collected = { code: 'COMMIT_COLLECTED' };

    beforeEach(async () => {
      id = (await write((writer) => put(writer, { nodes: { a: ['first'] } }))).result['a'] ?? 0;
    });

    test('drops what only old commits can see; they say so, and stay in the history', async () => {
      const second = await say('second');
      const third = await say('third');
      const fourth = await say('fourth');
      context.now += day;
      expect(await collect()).toEqual({ commits: 2, nodes: 0, observations: 2, edges: 0 });
      expect(await look()).toEqual({ nodes: { a: ['fourth'] }, edges: [] });
      expect(await look(undefined, fourth)).toEqual(await look());
      // The one before the head, so that it can be seen what the head changed.
      expect(await look(undefined, third)).toEqual({ nodes: { a: ['third'] }, edges: [] });
      await expect(look(undefined, second)).rejects.toMatchObject(collected);
      expect(await context.store.commit('default', second)).toMatchObject({ id: second, collected: true });
      const touched = context.store.touchedBy('default', await context.store.commit('default', second));
      await expect(touched).rejects.toMatchObject(collected);
      expect(await context.store.commits(main)).toHaveLength(4);
      expect(await context.store.check()).toEqual([]);
      expect(await collect()).toEqual({ commits: 0, nodes: 0, observations: 0, edges: 0 });
    });

    test('with nothing to drop, every commit stays readable', async () => {
      const second = (await write((writer) => put(writer, { nodes: { b: [] } }))).commit?.id;
      for (const name of ['c', 'd', 'e']) await write((writer) => put(writer, { nodes: { [name]: [] } }));
      context.now += day;
      expect(await collect()).toEqual({ commits: 0, nodes: 0, observations: 0, edges: 0 });
      expect(await look(undefined, second)).toEqual({ nodes: { a: ['first'], b: [] }, edges: [] });
    });

    test('commits since the time stay readable, and so does the one before each', async () => {
      await say('second');
      const third = await say('third');
      context.now += day;
      const since = context.now;
      const fourth = await say('fourth');
      await say('fifth');
      expect(await collect(since)).toMatchObject({ observations: 2 });
      expect(await look(undefined, third)).toEqual({ nodes: { a: ['third'] }, edges: [] });
      expect(await look(undefined, fourth)).toEqual({ nodes: { a: ['fourth'] }, edges: [] });
    });

    test('a dry run of what a deleted branch changed and hid ends, and counts the same', async () => {
      await context.store.createBranch('default', 'try');
      await say('of the branch', 'try');
      await write(async (writer) => writer.removeNodes([id]), 'try');
      await context.store.deleteBranch('default', 'try');
      // The newest row of all stays, whatever it is.
      await say('second');
      context.now += day;
      const counted = await collect(context.now, true);
      expect(counted).toMatchObject({ commits: 2, observations: 1 });
      expect(await collect()).toEqual(counted);
      expect(await look()).toEqual({ nodes: { a: ['second'] }, edges: [] });
      expect(await context.store.check()).toEqual([]);
    });

    test('a dry run counts the same and drops nothing', async () => {
      const second = await say('second');
      await write(async (writer) => {
        await put(writer, { nodes: { b: [] }, edges: ['a to b'] });
      });
      await write(async (writer) => writer.removeEdges(await writer.edges()));
      await write(async (writer) => writer.putEdges([]));
      await say('third');
      context.now += day;
      const counted = await collect(context.now, true);
      expect(await look(undefined, second)).toEqual({ nodes: { a: ['second'] }, edges: [] });
      expect(await collect()).toEqual(counted);
      expect(counted.commits).toBe(3);
    });

    test('what a branch inherited stays, although its parent has moved on', async () => {
      await context.store.createBranch('default', 'try');
      await say('second');
      await write((writer) => writer.removeNodes([id]));
      context.now += day;
      await collect();
      expect(await look('try')).toEqual({ nodes: { a: ['first'] }, edges: [] });
      expect(await look()).toEqual({ nodes: {}, edges: [] });
    });

    test('a deleted branch goes with all it wrote and hid; its name can be used again', async () => {
      await write((writer) => put(writer, { nodes: { b: [] }, edges: ['a to b'] }));
      await context.store.createBranch('default', 'try');
      await write((writer) => writer.removeNodes([id]), 'try');
      const onTry = (await write((writer) => put(writer, { nodes: { c: ['see'] } }), 'try')).commit?.id;
      await write((writer) => put(writer, { nodes: { d: [] } }));
      await context.store.deleteBranch('default', 'try');
      context.now += day;
      // The newest row of a table stays, whosever it is.
      expect(await collect()).toMatchObject({ nodes: 1, observations: 0 });
      await expect(look(undefined, onTry)).rejects.toMatchObject(collected);
      await context.store.createBranch('default', 'try');
      expect(await look('try')).toEqual({ nodes: { a: ['first'], b: [], d: [] }, edges: ['a to b'] });
    });

    test('two branches can be compared and merged after collecting as before', async () => {
      await write((writer) => put(writer, { nodes: { b: [] }, edges: ['a to b'] }));
      await context.store.createBranch('default', 'try');
      await write((writer) => writer.removeNodes([id]), 'try');
      const head = (await write((writer) => put(writer, { nodes: { c: [] } }), 'try')).commit?.id ?? '';
      await say('second');
      await say('third');
      await say('fourth');
      context.now += day;
      const before = await read((reader) => reader.unseen(head));
      expect((await collect()).commits).toBeGreaterThan(0);
      expect(await read((reader) => reader.unseen(head))).toEqual(before);
      const base = await read(async (reader) => (await reader.at(before.base)).counts());
      expect(base).toEqual({ nodes: 2, observations: 1, edges: 1 });
    });

    test('what was last touched when is still known', async () => {
      await say('second');
      const updated = await read((reader) => reader.updatedAt([id]));
      context.now += day;
      await write((writer) => put(writer, { nodes: { b: [] } }));
      await collect();
      expect(await read((reader) => reader.updatedAt([id]))).toEqual(updated);
    });

    test('search finds what is there and nothing else, indexed or not, and writing goes on', async () => {
      await say('zanzibar');
      await say('lisbon');
      await new Promise((resolve) => setTimeout(resolve, 300));
      await say('oslo');
      context.now += day;
      await collect();
      const find = async () =>
        Promise.all(
          ['zanzibar', 'lisbon', 'oslo'].map((needle) =>
            read(async (reader) => [
              (await reader.nodesContaining(needle)).nodes.length,
              (await reader.observationsWithWords([needle], { limit: 5 })).length,
            ]),
          ),
        );
      expect(await find()).toEqual([
        [0, 0],
        [0, 0],
        [1, 1],
      ]);
      await say('zanzibar');
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await find()).toEqual([
        [1, 1],
        [0, 0],
        [0, 0],
      ]);
    });

    test('a graph is collected without touching another', async () => {
      await context.store.createGraph('other');
      const other = { graph: 'other' };
      const { result: ids } = await context.store.write(other, author, (writer) =>
        put(writer, { nodes: { a: ['one'] } }),
      );
      const { commit } = await context.store.write(other, author, (writer) =>
        writer.removeNodes([ids['a'] ?? 0]),
      );
      await say('second');
      context.now += day;
      await collect();
      const nodes = await context.store.read({ ...other, commit: commit?.parent ?? '' }, (reader) =>
        reader.nodes(),
      );
      expect(nodes).toHaveLength(1);
      await expect(context.store.collect('nope', { before: 0 })).rejects.toMatchObject({
        code: 'GRAPH_NOT_FOUND',
      });
    });
  });
}

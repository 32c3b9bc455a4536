import { describe, expect, test } from 'vitest';
import { deleteBatchSize } from '../../../src/store/sql/delete-graph.js';
import type { Store } from '../../../src/store/store-contract.js';
import { author, type StoreContext } from './context.js';
import { put, seen } from './graph-by-name.js';

const gone = { code: 'GRAPH_NOT_FOUND' };

/** Deleting a graph leaves nothing of it. */
export function graphDeletionConformance(context: StoreContext): void {
  const { write, read, look } = context;
  const work = { graph: 'work' };
  const fill = (nodes: Record<string, string[]>, edges: string[] = []) =>
    context.store.write(work, author, (writer) => put(writer, { nodes, edges }));

  describe.runIf(context.kind.capabilities.graphs)('deleting a graph', () => {
    test('it is not found any more, by any question, on any handle', async () => {
      const { id } = await context.store.createGraph('work');
      await fill({ a: ['zanzibar'], b: [] }, ['a to b']);
      const other = await context.openAnother();
      expect(Object.keys((await other.read(work, seen)).nodes)).toEqual(['a', 'b']);
      await context.store.deleteGraph('work');
      expect((await context.store.graphs()).map(({ name }) => name)).toEqual(['default']);
      for (const store of [context.store, other]) {
        for (const ask of questions(store, 'work')) await expect(ask()).rejects.toMatchObject(gone);
      }
      await other.close();
      expect(await context.tablesWith(id)).toEqual([]);
    });

    test('branches, shadows and history go with it, and rows beyond one portion', async () => {
      const { id } = await context.store.createGraph('work');
      const many = Array.from(
        { length: deleteBatchSize + 50 },
        (_, index) => [`n${index}`, ['text']] as const,
      );
      await fill(Object.fromEntries(many.map(([name, texts]) => [name, [...texts]])), ['n0 to n1']);
      await context.store.createBranch('work', 'try');
      await context.store.write({ ...work, branch: 'try' }, author, async (writer) => {
        const nodes = await writer.nodesNamed(['n0', 'n1']);
        await writer.removeNodes(nodes.map((node) => node.id));
      });
      expect(await context.tablesWith(id)).toContain('shadow');
      await context.store.deleteGraph('work');
      expect(await context.tablesWith(id)).toEqual([]);
      expect(await context.store.check()).toEqual([]);
      expect((await context.store.advice()).filter((advice) => advice.includes('deleted graph'))).toEqual([]);
    });

    test('other graphs keep what they hold, and are written and searched as before', async () => {
      await context.store.createGraph('work');
      await write((writer) => put(writer, { nodes: { a: ['zanzibar'] } }));
      await fill({ a: ['zanzibar'], c: ['zanzibar'] });
      await context.store.deleteGraph('work');
      await write((writer) => put(writer, { nodes: { b: ['zanzibar too'] } }));
      expect(await look()).toEqual({ nodes: { a: ['zanzibar'], b: ['zanzibar too'] }, edges: [] });
      expect((await read((reader) => reader.nodesContaining('zanzibar'))).nodes).toHaveLength(2);
      expect(await read((reader) => reader.observationsWithWords(['zanzibar'], { limit: 9 }))).toHaveLength(
        2,
      );
    });

    test('its name can be used again, and shows nothing of the old one', async () => {
      const { id: before } = await context.store.createGraph('work');
      await fill({ a: ['one', 'zanzibar'], b: [] }, ['a to b']);
      await context.store.createBranch('work', 'try');
      const handle = await context.openAnother();
      await handle.read(work, seen);
      await context.store.deleteGraph('work');
      const { id: after } = await context.store.createGraph('work');
      expect(after).not.toBe(before);
      for (const store of [context.store, handle]) {
        expect(await store.read(work, seen)).toEqual({ nodes: {}, edges: [] });
        expect(await store.commits(work)).toEqual([]);
        expect((await store.branches('work')).map(({ name }) => name)).toEqual(['main']);
        const found = await store.read(work, (reader) => reader.nodesContaining('zanzibar'));
        expect(found.nodes).toEqual([]);
      }
      const { result } = await fill({ a: ['two'] });
      const observations = await handle.read(work, (reader) => reader.observationsOf([result['a'] ?? 0]));
      expect(observations).toMatchObject([{ ordinal: 1, text: 'two' }]);
      await handle.close();
    });

    test('a graph that is not there cannot be deleted', async () => {
      await expect(context.store.deleteGraph('nowhere')).rejects.toMatchObject(gone);
    });

    test('of two who delete it at once, one is told that it is not there', async () => {
      await context.store.createGraph('work');
      await fill({ a: ['one'] });
      const other = await context.openAnother();
      const deleting = [context.store.deleteGraph('work'), other.deleteGraph('work')];
      const outcomes = await Promise.allSettled(deleting);
      // The second may also have come while rows were left, and helped to remove them.
      expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(gone);
      await other.close();
    });

    test('what is written meanwhile is refused, or goes with it', async () => {
      const { id } = await context.store.createGraph('work');
      const other = await context.openAnother();
      const writes = Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? context.store : other).write(work, author, (writer) =>
          put(writer, { nodes: { [`n${index}`]: ['text'] } }),
        ),
      );
      const branching = context.store.createBranch('work', 'try');
      const [, ...outcomes] = await Promise.allSettled([
        context.store.deleteGraph('work'),
        branching,
        ...writes,
      ]);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(gone);
      await other.close();
      expect(await context.tablesWith(id)).toEqual([]);
    });
  });

  test.runIf(!context.kind.capabilities.graphs)(
    'a store of one graph neither renames nor deletes it',
    async () => {
      const refused = { code: 'CAPABILITY_MISSING' };
      await expect(context.store.renameGraph('default', 'work')).rejects.toMatchObject(refused);
      await expect(context.store.deleteGraph('default')).rejects.toMatchObject(refused);
      await expect(context.store.deleteGraph('work')).rejects.toMatchObject(gone);
      expect(await look()).toEqual({ nodes: {}, edges: [] });
    },
  );
}

/** Every way to ask for a graph. */
function questions(store: Store, graph: string): readonly (() => Promise<unknown>)[] {
  return [
    () => store.read({ graph }, seen),
    () => store.write({ graph }, author, async () => {}),
    () => store.branches(graph),
    () => store.createBranch(graph, 'new'),
    () => store.commits({ graph }),
    () => store.commitsSince(graph, 0, 10),
    () => store.renameGraph(graph, 'new'),
    () => store.deleteGraph(graph),
  ];
}

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GraphChange } from '../../../src/store/graph-change.js';
import type { Store } from '../../../src/store/store-contract.js';
import { author, main, type StoreContext } from './context.js';
import { put } from './graph-by-name.js';

const soon = { timeout: 60_000, interval: 20 };

/** Whoever watches a graph hears what happens to it, whichever process does it. */
export function watchingConformance(context: StoreContext): void {
  const { branches, graphs, schemas } = context.kind.capabilities;

  describe('watching a graph', () => {
    let other: Store;
    let heard: GraphChange[];
    const listener = (change: GraphChange) => heard.push(change);
    const node = (name: string, store: Store, branch?: string) =>
      store.write({ ...main, branch }, author, (writer) => put(writer, { nodes: { [name]: [] } }));
    const onMain = { kind: 'commits', branch: 'main', setsSchema: false };

    beforeEach(async () => {
      heard = [];
      await node('before', context.store);
      other = await context.another();
    });
    afterEach(() => other.close());

    test('commits of this store are reported when they are durable, one by one', async () => {
      await context.store.watch('default', listener);
      const made = [await node('a', context.store), await node('b', context.store)];
      expect(heard).toEqual(made.map(({ commit }) => ({ ...onMain, own: commit })));
    });

    test('commits of another process are reported', async () => {
      await context.store.watch('default', listener);
      await node('a', other);
      await vi.waitFor(() => expect(heard).toEqual([onMain]), soon);
      const { commit } = await node('b', context.store);
      await node('c', other);
      await vi.waitFor(() => expect(heard).toEqual([onMain, { ...onMain, own: commit }, onMain]), soon);
    });

    test('nothing is reported that happened before, or that changed nothing', async () => {
      await node('a', other);
      await context.store.watch('default', listener);
      await context.store.write(main, author, async () => {});
      await expect(
        context.store.write(main, author, () => Promise.reject(new Error('refused'))),
      ).rejects.toThrow('refused');
      await node('b', other);
      await vi.waitFor(() => expect(heard).toEqual([onMain]), soon);
    });

    test('a watch ends when its end is asked for; others go on', async () => {
      const stop = await context.store.watch('default', listener);
      const others: GraphChange[] = [];
      await context.store.watch('default', (change) => others.push(change));
      stop();
      await node('a', context.store);
      await node('b', other);
      await vi.waitFor(() => expect(others).toHaveLength(2), soon);
      expect(heard).toEqual([]);
    });

    test('a listener that throws fails neither the write nor other listeners', async () => {
      await context.store.watch('default', () => {
        throw new Error('a listener');
      });
      await context.store.watch('default', listener);
      expect((await node('a', context.store)).commit).not.toBeNull();
      expect(heard).toHaveLength(1);
    });

    test('a graph that is not there cannot be watched', async () => {
      await expect(context.store.watch('nothing', listener)).rejects.toMatchObject({
        code: 'GRAPH_NOT_FOUND',
      });
    });

    test.runIf(branches)('branches are reported as they come, change and go', async () => {
      await context.store.watch('default', listener);
      await context.store.createBranch('default', 'mine');
      expect(heard).toEqual([{ kind: 'branch-created', branch: 'mine' }]);
      await other.createBranch('default', 'theirs');
      await vi.waitFor(() => expect(heard).toHaveLength(2), soon);
      await node('a', other, 'theirs');
      await vi.waitFor(() => expect(heard).toHaveLength(3), soon);
      await other.deleteBranch('default', 'theirs');
      await vi.waitFor(() => expect(heard).toHaveLength(4), soon);
      await context.store.deleteBranch('default', 'mine');
      expect(heard.slice(1)).toEqual([
        { kind: 'branch-created', branch: 'theirs' },
        { ...onMain, branch: 'theirs' },
        { kind: 'branch-deleted', branch: 'theirs' },
        { kind: 'branch-deleted', branch: 'mine' },
      ]);
    });

    test.runIf(schemas)('commits that set the schema say so', async () => {
      await context.store.watch('default', listener);
      const setsSchema = { ...onMain, setsSchema: true };
      await other.write(main, author, (writer) => writer.setSchema('only before'));
      await vi.waitFor(() => expect(heard).toEqual([setsSchema]), soon);
      await context.store.write(main, author, (writer) => writer.setSchema(null));
      expect(heard).toMatchObject([setsSchema, setsSchema]);
    });

    test.runIf(graphs)('changes of other graphs are not reported', async () => {
      await context.store.createGraph('second');
      await context.store.watch('default', listener);
      for (const store of [context.store, other])
        await store.write({ graph: 'second' }, author, (writer) => put(writer, { nodes: { a: [] } }));
      await node('a', other);
      await vi.waitFor(() => expect(heard).toEqual([onMain]), soon);
    });

    test.runIf(graphs).each([
      ['deleted here', (store: Store, _: Store) => store.deleteGraph('second')],
      ['renamed here', (store: Store, _: Store) => store.renameGraph('second', 'third')],
      ['deleted elsewhere', (_: Store, there: Store) => there.deleteGraph('second')],
      [
        'replaced elsewhere',
        async (_: Store, there: Store) => {
          await there.deleteGraph('second');
          await there.createGraph('second');
        },
      ],
    ])('the last that is reported of a graph is that it was %s', async (_, change) => {
      await context.store.createGraph('second');
      await context.store.watch('second', listener);
      await change(context.store, other);
      await vi.waitFor(() => expect(heard).toEqual([{ kind: 'gone' }]), soon);
    });
  });
}

import { beforeEach, describe, expect, test } from 'vitest';
import type { Commit } from '../../../src/model/commit.js';
import type { WriteResult } from '../../../src/store/write-result.js';
import type { Writer } from '../../../src/store/writer.js';
import { author, main, type StoreContext } from './context.js';
import { put } from './graph-by-name.js';

/** The commit graph: what one history has that another has not. */
export function mergedHistoriesConformance(context: StoreContext): void {
  const { write, read, look } = context;
  describe.runIf(context.kind.capabilities.branches)('merged histories', () => {
    let first: Commit;
    let ids: Readonly<Record<string, number>>;
    const committed = <T>({ commit }: WriteResult<T>): Commit => {
      if (commit === null) throw new Error('There is no commit.');
      return commit;
    };
    /** Records a merge that changes nothing but what `work` does. */
    const merge = async (
      from: Commit,
      into: string,
      work: (writer: Writer) => Promise<void> = async () => {},
    ) =>
      committed(
        await context.store.write({ ...main, branch: into }, author, work, { mergedParent: from.id }),
      );
    const add = async (name: string, branch?: string) =>
      committed(await write((writer) => put(writer, { nodes: { [name]: [] } }), branch));
    const unseen = (commit: Commit, branch?: string) => read((reader) => reader.unseen(commit.id), branch);
    const named = async (nodes: readonly number[]) =>
      (await read((reader) => reader.identitiesOf(nodes))).map(({ name }) => name).sort();

    beforeEach(async () => {
      const written = await write((writer) =>
        put(writer, { nodes: { a: ['one'], b: [] }, edges: ['a to b'] }),
      );
      first = committed(written);
      ids = written.result;
      await context.store.createBranch('default', 'try');
    });

    test('a state is read at any commit within one transaction, and before the first', async () => {
      const second = await add('c', 'try');
      await read(async (reader) => {
        const before = await reader.at(first.id);
        const after = await reader.at(second.id);
        const nothing = await reader.at(null);
        const counts = await Promise.all([before, after, nothing].map((state) => state.counts()));
        expect(counts.map(({ nodes }) => nodes)).toEqual([2, 3, 0]);
      });
      await write(async (writer) => {
        await put(writer, { nodes: { d: [] } });
        expect((await (await writer.at(second.id)).counts()).nodes).toBe(3);
      });
    });

    test('a branch without commits of its own is contained in its parent', async () => {
      const [head] = await context.store.commits({ ...main, branch: 'try' });
      expect(head).toEqual(first);
      expect(await unseen(first)).toEqual({
        relation: 'contained',
        base: first.id,
        touched: { nodes: [], edges: [] },
      });
    });

    test('what a branch did is unseen by its parent, which is ahead of nothing until it writes', async () => {
      const changed = committed(
        await write(async (writer) => {
          await writer.putObservations([{ node: ids['b'] ?? 0, text: 'two' }]);
          await writer.removeEdges(await writer.edges());
        }, 'try'),
      );
      const edge = { from: ids['a'], to: ids['b'], type: 'to', key: '' };
      const touched = { nodes: [ids['b']], edges: [edge] };
      expect(await unseen(changed)).toEqual({ relation: 'ahead', base: first.id, touched });
      await add('c');
      expect(await unseen(changed)).toEqual({ relation: 'diverged', base: first.id, touched });
    });

    test('after a merge only what came since is unseen, in both directions', async () => {
      const c = await add('c', 'try');
      await add('d');
      const merged = await merge(c, 'main');
      expect(await unseen(c)).toMatchObject({ relation: 'contained', base: c.id });
      const e = await add('e', 'try');
      const forth = await unseen(e);
      expect(forth).toMatchObject({ relation: 'diverged', base: c.id });
      expect(await named(forth.touched.nodes)).toEqual(['e']);
      const back = await unseen(merged, 'try');
      expect(back).toMatchObject({ relation: 'diverged', base: c.id });
      expect(await named(back.touched.nodes)).toEqual(['d']);
    });

    test('when branches have merged each other crosswise, the base is the newest commit both have', async () => {
      const c = await add('c', 'try');
      const d = await add('d');
      await merge(c, 'main');
      const crossed = await merge(d, 'try');
      expect(await unseen(crossed)).toMatchObject({ relation: 'diverged', base: d.id });
    });

    test('a merge of a merge brings all that is behind it, also from a branch that is gone', async () => {
      await context.store.createBranch('default', 'deeper', 'try');
      const deep = await add('deep', 'deeper');
      const merged = await merge(deep, 'try');
      await context.store.deleteBranch('default', 'deeper');
      const { touched, ...rest } = await unseen(merged);
      expect(rest).toEqual({ relation: 'ahead', base: first.id });
      expect(await named(touched.nodes)).toEqual(['deep']);
    });

    test('the history of a branch has what was merged into it, newest first, in pages', async () => {
      const c = await add('c', 'try');
      const d = await add('d');
      const merged = await merge(c, 'main');
      const later = await add('e', 'try');
      const all = [merged, d, c, first].map(({ id }) => id);
      expect((await context.store.commits(main)).map(({ id }) => id)).toEqual(all);
      expect(merged).toMatchObject({ parent: d.id, mergedParent: c.id, branch: 'main' });
      const page = await context.store.commits(main, { before: merged.seq, limit: 2 });
      expect(page.map(({ id }) => id)).toEqual(all.slice(1, 3));
      expect((await context.store.commits({ ...main, branch: 'try' })).map(({ id }) => id)).toEqual(
        [later, c, first].map(({ id }) => id),
      );
    });

    test('what a merge keeps is told apart from what it changes, and is unseen elsewhere', async () => {
      const c = await add('c', 'try');
      const edge = { from: ids['a'] ?? 0, to: ids['b'] ?? 0, type: 'to', key: '' };
      const before = await read((reader) => reader.updatedAt([ids['a'] ?? 0]));
      context.now += 1_000;
      const merged = await merge(c, 'main', (writer) =>
        writer.keep({ nodes: [ids['a'] ?? 0], edges: [edge] }),
      );
      const kept = { nodes: [ids['a']], edges: [edge] };
      expect(await context.store.touchedBy('default', merged)).toEqual({ nodes: [], edges: [], kept });
      expect(await read((reader) => reader.updatedAt([ids['a'] ?? 0]))).toEqual(before);
      expect((await unseen(merged, 'try')).touched).toEqual(kept);
      expect(Object.keys((await look()).nodes)).toEqual(['a', 'b']);
    });

    test('the history of a state has its own commits, and those that were merged', async () => {
      const has = (commit: Commit, branch?: string) => read((reader) => reader.hasCommit(commit.id), branch);
      const there = await add('c', 'try');
      const here = await add('d');
      expect([await has(first), await has(first, 'try')]).toEqual([true, true]);
      expect([await has(there), await has(there, 'try')]).toEqual([false, true]);
      expect([await has(here), await has(here, 'try')]).toEqual([true, false]);
      const merged = await merge(here, 'try');
      expect([await has(here, 'try'), await has(merged, 'try'), await has(merged)]).toEqual([
        true,
        true,
        false,
      ]);
      expect(await read((reader) => reader.hasCommit('nope'))).toBe(false);
      expect(await read(async (reader) => (await reader.at(first.id)).hasCommit(here.id))).toBe(false);
    });

    test('an unknown commit is an error that names it', async () => {
      const unknown = { code: 'COMMIT_NOT_FOUND', message: expect.stringContaining('nope') };
      await expect(context.store.commit('default', 'nope')).rejects.toMatchObject(unknown);
      await expect(read((reader) => reader.unseen('nope'))).rejects.toMatchObject(unknown);
      await expect(read((reader) => reader.at('nope'))).rejects.toMatchObject(unknown);
    });
  });
}

import { beforeEach, describe, expect, test } from 'vitest';
import type { Writer } from '../../../src/store/writer.js';
import { main, type StoreContext } from './context.js';
import { put } from './graph-by-name.js';

/** Branches inherit, hide and stay apart. */
export function branchesConformance(context: StoreContext): void {
  const { write, read, look } = context;
  describe.runIf(context.kind.capabilities.branches)('branches', () => {
    beforeEach(async () => {
      await write((writer) => put(writer, { nodes: { a: ['one'], b: ['two'] }, edges: ['a to b'] }));
      await context.store.createBranch('default', 'try');
    });

    const onMain = { nodes: { a: ['one'], b: ['two'] }, edges: ['a to b'] };
    const remove = (name: string) => async (writer: Writer) =>
      writer.removeNodes((await writer.nodesNamed([name])).map((node) => node.id));

    test('a branch sees what its parent had, and neither sees the other’s later writes', async () => {
      expect(await look('try')).toEqual(onMain);
      await write((writer) => put(writer, { nodes: { c: [] } }), 'try');
      await write((writer) => put(writer, { nodes: { d: [] } }));
      expect(Object.keys((await look('try')).nodes)).toEqual(['a', 'b', 'c']);
      expect(Object.keys((await look()).nodes)).toEqual(['a', 'b', 'd']);
    });

    test('a branch changes an inherited node without its parent noticing', async () => {
      await write(async (writer) => {
        const [a] = await writer.nodesNamed(['a']);
        if (a) await writer.putNodes([{ ...a, summary: 'changed' }]);
        if (a)
          await writer.putObservations([
            { node: a.id, ordinal: 1, text: 'uno' },
            { node: a.id, text: 'dos' },
          ]);
      }, 'try');
      expect(await look('try')).toEqual({ nodes: { a: ['uno', 'dos'], b: ['two'] }, edges: ['a to b'] });
      expect(await look()).toEqual(onMain);
      expect((await read((reader) => reader.nodesNamed(['a']), 'try')).map((node) => node.summary)).toEqual([
        'changed',
      ]);
      expect((await read((reader) => reader.nodesNamed(['a']))).map((node) => node.summary)).toEqual([null]);
    });

    test('a branch deletes what it inherited, and makes it again', async () => {
      await write(remove('a'), 'try');
      expect(await look('try')).toEqual({ nodes: { b: ['two'] }, edges: [] });
      expect(await look()).toEqual(onMain);
      await write((writer) => put(writer, { nodes: { a: ['again'] }, edges: ['b to a'] }), 'try');
      expect(await look('try')).toEqual({ nodes: { b: ['two'], a: ['again'] }, edges: ['b to a'] });
      expect(await look()).toEqual(onMain);
    });

    test('what the parent deletes later stays on the branch', async () => {
      await write(remove('a'));
      expect(await look('try')).toEqual(onMain);
      expect(await look()).toEqual({ nodes: { b: ['two'] }, edges: [] });
    });

    test('the same name made on two branches is the same node, and ordinals do not collide', async () => {
      const { result: here } = await write((writer) => put(writer, { nodes: { new: ['on main'] } }));
      const { result: there } = await write((writer) => put(writer, { nodes: { new: ['on try'] } }), 'try');
      expect(there).toEqual(here);
      const ordinals = async (branch?: string) =>
        (await read((reader) => reader.observationsOf([here['new'] ?? 0]), branch)).map(
          ({ ordinal }) => ordinal,
        );
      expect([await ordinals(), await ordinals('try')]).toEqual([[1], [2]]);
    });

    test('a branch of a branch sees both, and hides from both', async () => {
      await write((writer) => put(writer, { nodes: { c: ['three'] } }), 'try');
      await context.store.createBranch('default', 'deeper', 'try');
      await write(remove('a'), 'deeper');
      await write(remove('c'), 'deeper');
      expect(await look('deeper')).toEqual({ nodes: { b: ['two'] }, edges: [] });
      expect(Object.keys((await look('try')).nodes)).toEqual(['a', 'b', 'c']);
      await write(remove('b'), 'try');
      expect(await look('deeper')).toEqual({ nodes: { b: ['two'] }, edges: [] });
    });

    test('a commit of a branch is read as it was; its first parent is the fork point', async () => {
      const { commit: first } = await write(remove('a'), 'try');
      await write((writer) => put(writer, { nodes: { a: ['again'] } }), 'try');
      expect(await look('try', first?.id)).toEqual({ nodes: { b: ['two'] }, edges: [] });
      expect(first?.parent).toBe((await context.store.commits(main))[0]?.id);
      expect(
        (await context.store.commits({ ...main, branch: 'try' })).map((commit) => commit.branch),
      ).toEqual(['try', 'try', 'main']);
    });

    test('search honours the branch', async () => {
      await write((writer) => put(writer, { nodes: { c: ['zanzibar'] } }), 'try');
      await write(remove('b'), 'try');
      const find = async (needle: string, branch?: string) =>
        (await read((reader) => reader.nodesContaining(needle), branch)).nodes.length;
      expect([await find('zanzibar', 'try'), await find('zanzibar')]).toEqual([1, 0]);
      expect([await find('two', 'try'), await find('two')]).toEqual([0, 1]);
    });

    test('a deleted branch is gone by name, its commits stay, and its name can be used again', async () => {
      const { commit } = await write((writer) => put(writer, { nodes: { c: [] } }), 'try');
      expect(await context.store.deleteBranch('default', 'try')).toMatchObject({ name: 'try' });
      expect((await context.store.branches('default')).map((branch) => branch.name)).toEqual(['main']);
      await expect(look('try')).rejects.toMatchObject({ code: 'BRANCH_NOT_FOUND' });
      await expect(write(remove('a'), 'try')).rejects.toMatchObject({ code: 'BRANCH_NOT_FOUND' });
      expect(Object.keys((await look(undefined, commit?.id)).nodes)).toEqual(['a', 'b', 'c']);
      expect(await context.store.commit('default', commit?.id ?? '')).toEqual(commit);
      await context.store.createBranch('default', 'try');
      expect(await look('try')).toEqual(onMain);
      expect((await context.store.commitsSince('default', 0, 10)).map(({ branch }) => branch)).toEqual([
        'main',
      ]);
    });

    test('main and a branch that others were forked from are not deleted', async () => {
      await context.store.createBranch('default', 'deeper', 'try');
      const refused = { code: 'BRANCH_IN_USE' };
      await expect(context.store.deleteBranch('default', 'main')).rejects.toMatchObject(refused);
      await expect(context.store.deleteBranch('default', 'try')).rejects.toMatchObject(refused);
      await expect(context.store.deleteBranch('default', 'nope')).rejects.toMatchObject({
        code: 'BRANCH_NOT_FOUND',
      });
      await context.store.deleteBranch('default', 'deeper');
      await context.store.deleteBranch('default', 'try');
      expect(await look()).toEqual(onMain);
    });

    test('a branch that is deleted while another is forked from it: one of the two is refused', async () => {
      for (let round = 0; round < 10; round++) {
        const [parent, child] = [`parent ${round}`, `child ${round}`];
        await context.store.createBranch('default', parent);
        const outcomes = await Promise.allSettled([
          context.store.deleteBranch('default', parent),
          context.store.createBranch('default', child, parent),
        ]);
        const refusals = outcomes.flatMap((outcome) =>
          outcome.status === 'rejected' ? [outcome.reason] : [],
        );
        expect(refusals).toHaveLength(1);
        expect(['BRANCH_IN_USE', 'BRANCH_NOT_FOUND']).toContain(refusals[0].code);
      }
    });

    test('making a branch costs rows for the branch only, and its name is taken', async () => {
      await expect(context.store.createBranch('default', 'try')).rejects.toMatchObject({
        code: 'BRANCH_EXISTS',
      });
      expect((await context.store.branches('default')).map((branch) => branch.name)).toEqual(['main', 'try']);
    });
  });
}

import { describe, expect, test } from 'vitest';
import { type Commit, zeroChangeCounts } from '../../../src/model/commit.js';
import { TrellisError } from '../../../src/model/error.js';
import type { Store } from '../../../src/store/store-contract.js';
import { author, main, type StoreContext } from './context.js';
import { put } from './graph-by-name.js';

/** A write is one commit, all or nothing. */
export function commitsConformance(context: StoreContext): void {
  const { write, read, look } = context;
  describe('commits', () => {
    test('a write is one commit, with author, time, parent and counts', async () => {
      const { commit: first } = await write((writer) => put(writer, { nodes: { a: ['one'] } }));
      context.now += 1000;
      const { commit: second } = await write((writer) =>
        put(writer, { nodes: { b: [] }, edges: ['b to a'] }),
      );
      expect(second).toMatchObject({
        ...author,
        branch: 'main',
        parent: first?.id,
        mergedParent: null,
        time: context.now,
        counts: { ...zeroChangeCounts, nodesCreated: 1, edgesCreated: 1 },
      });
      expect(second?.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
      expect((await context.store.commits(main)).map((commit) => commit.id)).toEqual([second?.id, first?.id]);
      expect((await context.store.commits(main, { limit: 1 })).map((commit) => commit.id)).toEqual([
        second?.id,
      ]);
      expect((await context.store.commits(main, { before: second?.seq })).map((commit) => commit.id)).toEqual(
        [first?.id],
      );
    });

    test('a commit says through which client it came and why, if that is known', async () => {
      const full = { ...author, client: 'claude-code/2.1', message: 'first\nsecond “line”' };
      const { commit } = await context.store.write(main, full, (writer) => put(writer, { nodes: { a: [] } }));
      const { commit: plain } = await write((writer) => put(writer, { nodes: { b: [] } }));
      expect(commit).toMatchObject(full);
      expect(await context.store.commits(main)).toEqual([plain, commit]);
      expect(plain).not.toHaveProperty('client');
      expect(plain).not.toHaveProperty('message');
    });

    test('a write that changes nothing makes no commit', async () => {
      const { commit } = await write(async (writer) => writer.removeNodes([12345]));
      expect(commit).toBeNull();
      expect(await context.store.commits(main)).toEqual([]);
    });

    test('a write that fails leaves nothing, neither rows nor commit', async () => {
      await write((writer) => put(writer, { nodes: { a: ['one'] } }));
      const before = await look();
      const failing = write(async (writer) => {
        await put(writer, { nodes: { b: ['two'] }, edges: ['b to a'] });
        throw new TrellisError('INVALID_ARGUMENT', 'no');
      });
      await expect(failing).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
      expect(await look()).toEqual(before);
      expect(await context.store.commits(main)).toHaveLength(1);
    });

    test('writes in flight together each succeed or fail alone, and none is lost', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 40 }, (_, index) =>
          write(async (writer) => {
            await put(writer, { nodes: { [`n${index}`]: [`fact ${index}`] } });
            if (index % 4 === 3) throw new TrellisError('INVALID_ARGUMENT', `refused ${index}`);
          }),
        ),
      );
      expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(10);
      const { nodes } = await look();
      expect(Object.keys(nodes)).toHaveLength(30);
      expect(await context.store.commits(main)).toHaveLength(30);
    });

    test('updatedAt is the time of the last commit that touched the node or its observations', async () => {
      const { result: ids } = await write((writer) => put(writer, { nodes: { a: [], b: [] } }));
      context.now += 5000;
      await write((writer) => writer.putObservations([{ node: ids['b'] ?? 0, text: 'later' }]));
      const updated = await read((reader) => reader.updatedAt([ids['a'] ?? 0, ids['b'] ?? 0]));
      expect(updated.get(ids['a'] ?? 0)).toBe(context.now - 5000);
      expect(updated.get(ids['b'] ?? 0)).toBe(context.now);
    });

    const nothing = async () => {};

    test.each<[string, (store: Store, commit: Commit) => Promise<unknown>]>([
      ['read', (store) => store.read({ graph: 'nope' }, nothing)],
      ['write', (store) => store.write({ graph: 'nope' }, author, nothing)],
      ['commits', (store) => store.commits({ graph: 'nope' })],
      ['commit', (store, { id }) => store.commit('nope', id)],
      ['commitsSince', (store) => store.commitsSince('nope', 0, 10)],
      ['touchedBy', (store, commit) => store.touchedBy('nope', commit)],
      ['branches', (store) => store.branches('nope')],
      ['createBranch', (store) => store.createBranch('nope', 'try')],
      ['deleteBranch', (store) => store.deleteBranch('nope', 'try')],
      ['renameGraph', (store) => store.renameGraph('nope', 'new')],
      ['deleteGraph', (store) => store.deleteGraph('nope')],
      ['rejections', (store) => store.rejections('nope')],
      ['collect', (store) => store.collect('nope', { before: 0 })],
      ['purge', (store) => store.purge('nope', { text: 'secret' })],
    ])('%s of a graph that is not there is an error that names it', async (_, call) => {
      const { commit } = await write((writer) => put(writer, { nodes: { a: [] } }));
      if (commit === null) throw new Error('The write made no commit.');
      await expect(call(context.store, commit)).rejects.toMatchObject({
        code: 'GRAPH_NOT_FOUND',
        message: expect.stringContaining('nope'),
      });
    });

    test('an unknown branch or commit is an error', async () => {
      await expect(read(nothing, 'nope')).rejects.toMatchObject({ code: 'BRANCH_NOT_FOUND' });
      await expect(read(nothing, undefined, 'nope')).rejects.toMatchObject({ code: 'COMMIT_NOT_FOUND' });
    });
  });
}

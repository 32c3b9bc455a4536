import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { diffToJson } from '../../src/engine/history/diff-json.js';
import { diffRefs } from '../../src/engine/history/diff-states.js';
import { mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import type { Store } from '../../src/store/store-contract.js';
import { copyGraph } from '../../src/transfer/copy-graph.js';
import { copyLosses } from '../../src/transfer/copy-losses.js';
import { graphDigest } from '../../src/transfer/graph-digest.js';
import { times } from '../helpers/full.js';
import { scratchFolder } from '../helpers/stores.js';
import { freshDatabase } from '../postgres/support/fresh-database.js';
import { author, everyCommit, goOn, storeWithHistory } from './history.js';

const history = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  operations: fc.integer({ min: 1, max: 150 }),
  together: fc.integer({ min: 1, max: 5 }),
});

describe('copying with history', () => {
  let folder: string;
  let open: Store[];
  beforeEach(async () => {
    folder = await scratchFolder();
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map((store) => store.close()));
    await rm(folder, { recursive: true });
  });
  let files = 0;
  const newPath = () => join(folder, `${++files}.db`);
  const keep = async (opening: Promise<Store>) => {
    const store = await opening;
    open.push(store);
    return store;
  };

  test('clients and messages come along and count in the digest; without them it is as before', async () => {
    const histories = [{}, { client: 'c/1' }, { message: 'why' }].map(async (more) => {
      const clock = () => 0;
      const ids = () => '01KBQ5V1Q3Y2D9A0ZB9N4R7C8E';
      const source = await keep(openStoreAtLocation(newPath(), { clock, ids }));
      await source.createGraph(defaultGraph);
      await source.write({ graph: defaultGraph }, { actor: 'ann', tool: 't', ...more }, async (writer) => {
        const [made] = await writer.addIdentities([{ type: 'person', name: 'Ada' }]);
        await writer.putNodes([{ id: made?.node ?? 0, type: 'person', name: 'Ada' }]);
      });
      const target = await keep(openStoreAtLocation(newPath()));
      const { digest } = await copyGraph(source, target, defaultGraph, { author });
      expect(await target.commits({ graph: defaultGraph })).toEqual(
        await source.commits({ graph: defaultGraph }),
      );
      return digest;
    });
    const digests = await Promise.all(histories);
    expect(new Set(digests).size).toBe(3);
    // As it was before commits had either.
    expect(digests[0]).toBe('7f803bb3afc7025f5e80acf9da47bce3e0b2bd9c2ad8c12dfd3518bba5c91f02');
  });

  test('any history: the digest is equal, and every commit reads the same', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 4 }), async (made, chunkSize) => {
        const source = await keep(storeWithHistory(newPath(), made));
        const target = await keep(openStoreAtLocation(newPath()));
        const { digest, commits } = await copyGraph(source, target, defaultGraph, { author, chunkSize });
        expect(digest).toBe(await graphDigest(source, defaultGraph));
        expect(commits).toBe((await source.commitsSince(defaultGraph, 0, 10_000)).length);
        expect(await everyCommit(target)).toEqual(await everyCommit(source));
        // What comes next is the same too: identities and counts of ordinals came along.
        await goOn(source, { ...made, operations: 30 });
        await goOn(target, { ...made, operations: 30 });
        const texts = async (store: Store) =>
          (await store.read({ graph: defaultGraph }, (reader) => reader.observations())).map(
            ({ ordinal, text }) => `${ordinal} ${text}`,
          );
        expect((await texts(target)).sort()).toEqual((await texts(source)).sort());
      }),
      { numRuns: times(5, 25) },
    );
  });

  test('a copy that was interrupted goes on where it ended, and one that is complete does nothing', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.double({ min: 0, max: 1, noNaN: true }), async (made, where) => {
        const source = await keep(storeWithHistory(newPath(), made));
        const total = (await source.commitsSince(defaultGraph, 0, 10_000)).length;
        fc.pre(total > 0);
        const path = newPath();
        const first = await keep(openStoreAtLocation(path));
        const stopAfter = Math.floor(where * total);
        await expect(
          copyGraph(interrupted(source, stopAfter), first, defaultGraph, { author }),
        ).rejects.toThrow('interrupted');
        const second = await keep(openStoreAtLocation(path));
        const resumed = await copyGraph(source, second, defaultGraph, { author });
        expect(resumed).toMatchObject({ commits: total - stopAfter, alreadyThere: stopAfter });
        expect(await copyGraph(source, second, defaultGraph, { author })).toEqual({
          ...resumed,
          commits: 0,
          alreadyThere: total,
        });
      }),
      { numRuns: times(4, 15) },
    );
  });

  test('what the source got since is brought by copying again', async () => {
    const made = { seed: 5, operations: 80, together: 3 };
    const source = await keep(storeWithHistory(newPath(), made));
    const target = await keep(openStoreAtLocation(newPath()));
    const before = await copyGraph(source, target, defaultGraph, { author });
    await goOn(source, { ...made, seed: 6 });
    const after = await copyGraph(source, target, defaultGraph, { author });
    expect(after.alreadyThere).toBe(before.commits);
    expect(after.commits).toBeGreaterThan(0);
    expect(after.digest).not.toBe(before.digest);
  });

  test('a copy is one state, although the source is written meanwhile', async () => {
    const made = { seed: 8, operations: 100, together: 2 };
    const source = await keep(storeWithHistory(newPath(), made));
    const target = await keep(openStoreAtLocation(newPath()));
    const [copied] = await Promise.all([
      copyGraph(source, target, defaultGraph, { author }),
      goOn(source, { ...made, seed: 9 }),
    ]);
    expect(copied.digest).not.toBe(await graphDigest(source, defaultGraph));
    await copyGraph(source, target, defaultGraph, { author });
    expect(await graphDigest(target, defaultGraph)).toBe(await graphDigest(source, defaultGraph));
  });

  test('a graph that is there and is no copy is refused and left alone', async () => {
    const made = { seed: 1, operations: 40, together: 2 };
    const source = await keep(storeWithHistory(newPath(), made));
    const other = await keep(storeWithHistory(newPath(), { ...made, seed: 2 }));
    const before = await graphDigest(other, defaultGraph);
    await expect(copyGraph(source, other, defaultGraph, { author })).rejects.toMatchObject({
      code: 'GRAPH_EXISTS',
    });
    expect(await graphDigest(other, defaultGraph)).toBe(before);
  });

  test('a copy that somebody wrote to is refused', async () => {
    const made = { seed: 3, operations: 40, together: 2 };
    const source = await keep(storeWithHistory(newPath(), made));
    const target = await keep(openStoreAtLocation(newPath()));
    await copyGraph(source, target, defaultGraph, { author });
    await goOn(target, { ...made, seed: 4, operations: 20 });
    await goOn(source, { ...made, seed: 4, operations: 20 });
    await expect(copyGraph(source, target, defaultGraph, { author })).rejects.toMatchObject({
      code: 'GRAPH_EXISTS',
    });
  });

  test('merges come along: the copy compares and merges branches as the original does', async () => {
    const source = await keep(openStoreAtLocation(newPath()));
    await source.createGraph(defaultGraph);
    const target = await keep(openStoreAtLocation(newPath()));
    const write = (branch: string, name: string, summary: string) =>
      source.write({ graph: defaultGraph, branch }, author, async (writer) => {
        const [known] = await writer.identitiesNamed([name]);
        const [made] = known ? [known] : await writer.addIdentities([{ type: 'thing', name }]);
        if (made) await writer.putNodes([{ id: made.node, type: 'thing', name, summary }]);
      });
    const merge = (from: string, into: string) =>
      mergeBranches(source, {
        ...{ graph: defaultGraph, source: from, target: into, author, defaultSide: 'target' as const },
      });
    await write('main', 'a', 'base');
    await source.createBranch(defaultGraph, 'left');
    await source.createBranch(defaultGraph, 'right');
    await write('left', 'a', 'left');
    await write('right', 'a', 'right');
    await source.createBranch(defaultGraph, 'right before', 'right');
    // Each keeps its own: afterwards no commit has touched what differs.
    await merge('left', 'right');
    await merge('right before', 'left');
    await source.createBranch(defaultGraph, 'gone');
    await write('gone', 'b', 'brought');
    await merge('gone', 'main');
    await source.deleteBranch(defaultGraph, 'gone');
    const { digest } = await copyGraph(source, target, defaultGraph, { author });
    expect(digest).toBe(await graphDigest(source, defaultGraph));
    const differences = async (store: Store) =>
      (await diffToJson(await diffRefs(store, { graph: defaultGraph, from: 'left', to: 'right' }))).nodes;
    expect(await differences(target)).toEqual(await differences(source));
    expect(await differences(target)).toMatchObject([
      { properties: { summary: { before: 'left', after: 'right' } } },
    ]);
    expect(await everyCommit(target)).toEqual(await everyCommit(source));
  });

  test('a history of which a part was collected is not copied as if it were whole', async () => {
    const source = await keep(storeWithHistory(newPath(), { seed: 4, operations: 60, together: 1 }));
    await source.collect(defaultGraph, { before: Number.MAX_SAFE_INTEGER });
    const target = await keep(openStoreAtLocation(newPath()));
    const losses = await copyLosses(source, defaultGraph, target.capabilities);
    expect(losses[0]).toContain('the history');
    const copied = await copyGraph(source, target, defaultGraph, { author });
    expect(copied.history).toBe(false);
  });

  test('to PostgreSQL and back: the same digest all the way', async () => {
    const database = await freshDatabase();
    const source = await keep(storeWithHistory(newPath(), { seed: 11, operations: 400, together: 4 }));
    const server = await openStoreAtLocation(database.url);
    try {
      const there = await copyGraph(source, server, defaultGraph, { author });
      const back = await keep(openStoreAtLocation(newPath()));
      const again = await copyGraph(server, back, defaultGraph, { author });
      expect(again.digest).toBe(there.digest);
      expect(await everyCommit(back)).toEqual(await everyCommit(source));
    } finally {
      await server.close();
      await database.drop();
    }
  });
});

/** The same store, which breaks off after telling of so many commits. */
function interrupted(store: Store, commits: number): Store {
  let told = 0;
  return new Proxy(store, {
    get(target, property) {
      if (property === 'touchedBy') {
        return async (...args: Parameters<Store['touchedBy']>) => {
          if (told === commits) throw new Error('interrupted');
          told += 1;
          return target.touchedBy(...args);
        };
      }
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

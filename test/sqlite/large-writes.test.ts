import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { compileGraphSchema } from '../../src/schema/enforce/compile-graph-schema.js';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../src/store/store-contract.js';
import { author, changedStore, email, fillWithLargeBranch, graph } from '../helpers/large-branch.js';

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function open(path: string): Promise<SqliteStore> {
  const store = await openSqliteStore(path, { compileGraphSchema });
  onTestFinished(() => store.close());
  return store;
}

async function openFilled(path: string): Promise<SqliteStore> {
  const store = await open(path);
  await store.createGraph(graph);
  await fillWithLargeBranch(store);
  return store;
}

const merge = (store: Store, source = 'draft') => mergeBranches(store, { graph, source, author });

const cityOf = (store: Store, name: string) =>
  store.read({ graph }, async (reader) => (await reader.nodesNamed([name]))[0]?.props?.['city']);

const isMerged = async (store: Store) => String(await cityOf(store, email(9))).startsWith('town');

/** Newest first: each is the parent of the one before. */
async function expectChain(store: Store): Promise<void> {
  const reachable = await store.commits({ graph, branch: 'main' }, { limit: 1_000 });
  const commits = reachable.filter(({ branch }) => branch === 'main');
  expect(commits.slice(0, -1).map(({ parent }) => parent)).toEqual(commits.slice(1).map(({ id }) => id));
  const seqs = commits.map(({ seq }) => seq);
  expect(seqs).toEqual([...seqs].sort((a, b) => b - a));
}

const addPerson = (store: Store, name: string) =>
  store.write({ graph }, author, async (writer) => {
    const [made] = await writer.addIdentities([{ type: 'Person', name }]);
    await writer.putNodes([{ id: made?.node ?? 0, type: 'Person', name, props: { email: name } }]);
  });

test('what others write meanwhile comes before or after a large merge, and nothing is lost', async () => {
  const path = join(scratchFolder(), 'store.db');
  const store = await openFilled(path);
  const another = await open(path);
  const names = Array.from({ length: 60 }, (_, index) => `other${index}@example.org`);
  const merging = merge(store);
  for (const [index, name] of names.entries()) await addPerson(index % 2 === 0 ? store : another, name);
  expect(await merging).toMatchObject({ outcome: 'merged' });
  const found = await store.read({ graph }, (reader) => reader.nodesNamed(names));
  expect(found).toHaveLength(names.length);
  expect(await isMerged(another)).toBe(true);
  await expectChain(store);
  expect(await store.check()).toEqual([]);
});

test('large merges of several branches at once are all done', async () => {
  const store = await openFilled(join(scratchFolder(), 'store.db'));
  await store.createBranch(graph, 'second');
  await store.write({ graph, branch: 'second' }, author, async (writer) => {
    const nodes = (await writer.nodes({ limit: 1_100 })).filter(({ name }) => name !== email(3));
    await writer.putNodes(nodes.map((node) => ({ ...node, props: { ...node.props, age: 7 } })));
  });
  await Promise.all([merge(store), merge(store, 'second')]);
  const [node] = await store.read({ graph }, (reader) => reader.nodesNamed([email(9)]));
  expect(node?.props).toMatchObject({ age: 7, city: expect.stringContaining('town') });
  await expectChain(store);
});

test('closing the store waits for a large merge, or the merge is refused', async () => {
  const path = join(scratchFolder(), 'store.db');
  const store = await openFilled(path);
  const merging = merge(store).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'STOPPED' });
      return false;
    },
  );
  await new Promise((done) => setTimeout(done, Math.random() * 200));
  await store.close();
  const reopened = await open(path);
  expect(await isMerged(reopened)).toBe(await merging);
  expect(await reopened.check()).toEqual([]);
});

test('a file that was put in the place of the database is not written to', async () => {
  const folder = scratchFolder();
  const path = join(folder, 'store.db');
  await (await openFilled(path)).close();
  copyFileSync(path, join(folder, 'copy.db'));
  const store = await open(path);
  const stageNodes: Store['stageNodes'] = async (...given) => {
    const rows = await store.stageNodes(...given);
    renameSync(path, join(folder, 'moved.db'));
    copyFileSync(join(folder, 'copy.db'), path);
    return rows;
  };
  const refused = merge(changedStore(store, { stageNodes }));
  await expect(refused).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(await isMerged(await open(path))).toBe(false);
});

test('a full disk refuses a large merge as a whole, which can be done when there is room', async (context) => {
  const folder = join(scratchFolder(), 'disk');
  mkdirSync(folder);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]);
  if (mounted.status !== 0) return context.skip(`cannot mount a small disk: ${mounted.stderr}`);
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  const store = await openFilled(join(folder, 'store.db'));
  const resize = (bytes: number) => spawnSync('mount', ['-o', `remount,size=${bytes}`, folder]);
  const { blocks, bfree, bsize } = statfsSync(folder);
  resize((blocks - bfree) * bsize + 65_536);
  await expect(merge(store)).rejects.toMatchObject({ code: 'STORE_FULL' });
  expect(await isMerged(store)).toBe(false);
  resize(64 * 2 ** 20);
  expect(await merge(store)).toMatchObject({ outcome: 'merged' });
  expect(await isMerged(store)).toBe(true);
  expect(await store.check()).toEqual([]);
});

test('calls have turns during an ingest and its commit, and what is wrong with a line is said', async () => {
  const store = await openFilled(join(scratchFolder(), 'store.db'));
  const into = new Graph(store, graph);
  const ingest = (lines: readonly string[]) =>
    runIngest(
      { commit: (work, options) => into.commit(author, work, options) },
      [Buffer.from(lines.join('\n'))],
      { mode: 'append', maxBytes: Number.MAX_SAFE_INTEGER },
    );
  const lines = Array.from({ length: 3_000 }, (_, index) =>
    JSON.stringify({ type: 'Person', data: { email: `new${index}@example.org`, city: 'here' } }),
  );
  const before = await store.commits({ graph }, { limit: 1 });
  const wrong = [...lines, JSON.stringify({ type: 'Person', data: { email: email(1), city: 'here' } })];
  await expect(ingest(wrong)).rejects.toMatchObject({ message: expect.stringContaining('3001') });
  expect(await store.commits({ graph }, { limit: 1 })).toEqual(before);
  const reading = ingest(lines);
  await cityOf(store, email(9));
  expect((await reading).commit?.counts).toMatchObject({ nodesCreated: 3_000 });
  expect(await cityOf(store, 'new7@example.org')).toBe('here');
  expect(await store.check()).toEqual([]);
});

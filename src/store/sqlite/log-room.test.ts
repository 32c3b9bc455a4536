import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Graph } from '../../engine/graph.js';
import { readGraph } from '../../engine/read/read-graph.js';
import { createNodes } from '../../engine/write/create-nodes.js';
import { backupSqlite } from './backup.js';
import { Connection } from './connection.js';
import { openSqliteStore, type SqliteStore } from './sqlite-store.js';

const author = { actor: 'ann', tool: 'test' };
/** 1,000 pages of 4,096 bytes, and then some. */
const fullLength = 4_120_032;
const longerThanAnyPause = 150;

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function openGraph(path: string): Promise<{ store: SqliteStore; graph: Graph }> {
  const store = await openSqliteStore(path);
  onTestFinished(() => store.close());
  if ((await store.graphs()).length === 0) await store.createGraph('default');
  return { store, graph: new Graph(store, 'default') };
}

const logSize = (path: string) => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
const roomMade = (path: string) => expect.poll(() => logSize(path)).toBeGreaterThanOrEqual(fullLength);

const create = (graph: Graph, name: string) =>
  graph.write(author, (tx) => createNodes(tx, [{ type: 'note', name, observations: [`about ${name}`] }]));
const names = async (graph: Graph) =>
  (await graph.read((reader) => readGraph(reader))).nodes.map(({ node }) => node.name);

test('soon after a write the log is as long as it will get, and writing goes on in it', async () => {
  const path = join(scratchFolder(), 'store.db');
  const { store, graph } = await openGraph(path);
  await create(graph, 'first');
  await roomMade(path);
  const size = logSize(path);
  for (let index = 0; index < 150; index += 1) await create(graph, `n${index}`);
  expect(logSize(path)).toBe(size);
  expect(await names(graph)).toHaveLength(151);
  expect(await store.check()).toEqual([]);
});

test('who only reads makes no room', async () => {
  const path = join(scratchFolder(), 'store.db');
  const { store } = await openGraph(path);
  await store.close();
  const reopened = await openGraph(path);
  await names(reopened.graph);
  await sleep(longerThanAnyPause);
  expect(logSize(path)).toBe(0);
});

test('closing folds a log with room like any other', async () => {
  const path = join(scratchFolder(), 'store.db');
  const { store, graph } = await openGraph(path);
  await create(graph, 'first');
  await roomMade(path);
  await store.close();
  expect(logSize(path)).toBe(0);
});

test('what a killed process leaves, room included, opens with everything in it', async () => {
  const folder = scratchFolder();
  const path = join(folder, 'store.db');
  const { graph } = await openGraph(path);
  await create(graph, 'before');
  await roomMade(path);
  await create(graph, 'after');
  // The files as they are, without those who have them open.
  const left = join(folder, 'left.db');
  copyFileSync(path, left);
  copyFileSync(`${path}-wal`, `${left}-wal`);
  const reopened = await openGraph(left);
  expect(await names(reopened.graph)).toEqual(['before', 'after']);
  expect(await reopened.store.check()).toEqual([]);
  await create(reopened.graph, 'later');
  expect(await names(reopened.graph)).toEqual(['before', 'after', 'later']);
});

test('a log of nothing but zeros holds nothing', async () => {
  const folder = scratchFolder();
  const path = join(folder, 'store.db');
  const { store, graph } = await openGraph(path);
  await create(graph, 'kept');
  await roomMade(path);
  await store.close();
  writeFileSync(`${path}-wal`, Buffer.alloc(fullLength));
  const reopened = await openGraph(path);
  expect(await names(reopened.graph)).toEqual(['kept']);
  expect(await reopened.store.check()).toEqual([]);
});

test('a backup is taken beside a log with room', async () => {
  const folder = scratchFolder();
  const path = join(folder, 'store.db');
  const { graph } = await openGraph(path);
  await create(graph, 'kept');
  await roomMade(path);
  const [backedUp] = await backupSqlite(path, join(folder, 'copy.db'));
  expect(backedUp).toMatchObject({ name: 'default', nodes: 1, observations: 1 });
});

test('room that another process cut is made again, and both see each other’s writes', async () => {
  const path = join(scratchFolder(), 'store.db');
  const one = await openGraph(path);
  await create(one.graph, 'one');
  await roomMade(path);
  const two = await openGraph(path);
  await create(two.graph, 'two');
  await two.store.close();
  await create(one.graph, 'three');
  await roomMade(path);
  const other = new Connection(path);
  expect(await other.all('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  other.close();
  expect(await names(one.graph)).toEqual(['one', 'two', 'three']);
});

test('where the room does not fit, the log stays as short as it was, and writing goes on', async (context) => {
  const folder = join(scratchFolder(), 'disk');
  mkdirSync(folder);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder]);
  if (mounted.status !== 0) return context.skip(`cannot mount a small disk: ${mounted.stderr}`);
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  const path = join(folder, 'store.db');
  const { store, graph } = await openGraph(path);
  await create(graph, 'first');
  await sleep(longerThanAnyPause);
  const holdsOnlyFrames = () => logSize(path) < 1_000_000 && (logSize(path) - 32) % 4_120 === 0;
  // A busy machine may still be trying.
  await expect.poll(holdsOnlyFrames, { timeout: 30_000 }).toBe(true);
  await create(graph, 'second');
  expect(await names(graph)).toEqual(['first', 'second']);
  expect(await store.check()).toEqual([]);
});

test('the log of a file that took the place of ours is left alone', async () => {
  const folder = scratchFolder();
  const path = join(folder, 'store.db');
  const { graph } = await openGraph(path);
  await create(graph, 'ours');
  for (const name of ['store.db', 'store.db-wal', 'store.db-shm'])
    rmSync(join(folder, name), { force: true });
  // Made by hand: a store of our own would make room itself.
  const theirs = new Connection(path);
  theirs.exec('pragma journal_mode = wal; create table theirs (x)');
  const before = readFileSync(`${path}-wal`);
  await sleep(longerThanAnyPause);
  expect(readFileSync(`${path}-wal`).equals(before)).toBe(true);
  theirs.close();
});

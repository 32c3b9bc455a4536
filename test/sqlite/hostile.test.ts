import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { readGraph } from '../../src/engine/read/read-graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/sqlite-store.js';

const author = { actor: 'ann', tool: 'test' };

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const names = async (graph: Graph) =>
  (await graph.read((reader) => readGraph(reader))).nodes.map(({ node }) => node.name);

const create = (graph: Graph, name: string, fact: string) =>
  graph.write(author, (tx) => createNodesLenient(tx, [{ type: 'note', name, observations: [fact] }]));

async function openGraph(path: string): Promise<{ store: SqliteStore; graph: Graph }> {
  const store = await openSqliteStore(path);
  onTestFinished(() => store.close());
  if ((await store.graphs()).length === 0) await store.createGraph('default');
  return { store, graph: new Graph(store, 'default') };
}

test('a full disk fails the writes it meets, keeps every acknowledged one, and is over when there is room', async (context) => {
  const folder = join(scratchFolder(), 'disk');
  mkdirSync(folder);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  if (mounted.status !== 0) return context.skip(`cannot mount a small disk: ${mounted.stderr}`);
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));

  const { store, graph } = await openGraph(join(folder, 'store.db'));
  const acknowledged: string[] = [];
  let refused = 0;
  for (let round = 0; round < 40 && refused < 30; round += 1) {
    const batch = Array.from({ length: 10 }, (_, index) => `n${round}-${index}`);
    const outcomes = await Promise.allSettled(batch.map((name) => create(graph, name, 'x'.repeat(2_000))));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') acknowledged.push(batch[index] ?? '');
      else {
        refused += 1;
        expect(outcome.reason).toMatchObject({ code: 'STORE_FULL' });
      }
    }
  }
  expect(refused).toBeGreaterThan(0);
  expect((await names(graph)).sort()).toEqual([...acknowledged].sort());
  expect(await store.check()).toEqual([]);

  spawnSync('mount', ['-o', 'remount,size=8m', folder]);
  await create(graph, 'after', 'there is room again');
  expect(await names(graph)).toContain('after');
  await store.close();
  const reopened = await openGraph(join(folder, 'store.db'));
  expect((await names(reopened.graph)).sort()).toEqual([...acknowledged, 'after'].sort());
});

test('a read-only database is read, and a write to it fails saying so', async (context) => {
  const folder = scratchFolder();
  const path = join(folder, 'store.db');
  const { store, graph } = await openGraph(path);
  await create(graph, 'kept', 'fact');
  await store.close();
  // Permissions do not bind root, so a read-only mount stands in for them.
  const readOnly = join(scratchFolder(), 'mount');
  mkdirSync(readOnly);
  const bound = spawnSync('mount', ['--bind', folder, readOnly]);
  if (bound.status !== 0) return context.skip(`cannot mount read-only: ${bound.stderr}`);
  onTestFinished(() => void spawnSync('umount', ['-l', readOnly]));
  spawnSync('mount', ['-o', 'remount,bind,ro', readOnly]);

  const reopened = await openGraph(join(readOnly, 'store.db'));
  expect(await names(reopened.graph)).toEqual(['kept']);
  await expect(create(reopened.graph, 'new', 'fact')).rejects.toMatchObject({ code: 'STORE_READ_ONLY' });

  // Somebody else may write it all the same; an old state must not pass for the present one.
  const elsewhere = await openGraph(path);
  await create(elsewhere.graph, 'later', 'fact');
  await expect(names(reopened.graph)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});

test('a new database in a folder that cannot be written is refused, naming the folder', async (context) => {
  const folder = join(scratchFolder(), 'mount');
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', folder]);
  if (mounted.status !== 0) return context.skip(`cannot mount read-only: ${mounted.stderr}`);
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  await expect(openSqliteStore(join(folder, 'store.db'))).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining(folder),
  });
});

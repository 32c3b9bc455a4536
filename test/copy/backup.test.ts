import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { sql } from '../../src/store/sql/sql.js';
import { backupSqlite, verifyBackup } from '../../src/store/sqlite/sqlite-backup.js';
import { SqliteConnection } from '../../src/store/sqlite/sqlite-connection.js';
import { graphDigest } from '../../src/transfer/graph-digest.js';
import { useSandbox } from '../cli/run-cli.js';
import { storeWithHistory } from './history.js';

const sandbox = useSandbox();
const made = { seed: 31, operations: 200, together: 3 };

test('a backup of a database holds every graph, branch and commit, for its owner alone', async () => {
  const store = await storeWithHistory(sandbox.path('a.db'), made);
  await store.createGraph('empty');
  const outcome = await sandbox.run(['backup', 'copy.db', '--store', 'a.db', '--json']);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(outcome.stdout)).toMatchObject({
    store: sandbox.path('a.db'),
    file: sandbox.path('copy.db'),
    kind: 'sqlite',
    graphs: [{ name: defaultGraph }, { name: 'empty', nodes: 0, observations: 0, edges: 0 }],
  });
  expect((await stat(sandbox.path('copy.db'))).mode & 0o777).toBe(0o600);
  const copy = await openStoreAtLocation(sandbox.path('copy.db'));
  expect(await graphDigest(copy, defaultGraph)).toBe(await graphDigest(store, defaultGraph));
  expect(await copy.check()).toEqual([]);
  await Promise.all([store.close(), copy.close()]);
  expect((await sandbox.run(['doctor', '--store', 'copy.db'])).code).toBe(0);
});

test('it is one state of the store while others write, and nothing is left beside it', async () => {
  const store = await openStoreAtLocation(sandbox.path('busy.db'));
  await store.createGraph(defaultGraph);
  const graph = new Graph(store, defaultGraph);
  let writing = true;
  let written = 0;
  const writer = (async () => {
    while (writing) {
      const nodes = [0, 1].map((half) => ({ type: 't', name: `${written} ${half}`, observations: ['x'] }));
      await graph.write({ actor: 'ann', tool: 'test' }, (tx) => createNodesLenient(tx, nodes));
      written += 1;
    }
  })();
  try {
    await mkdir(sandbox.path('backups'));
    for (const round of [1, 2, 3]) {
      const before = written;
      const outcome = await sandbox.run(['backup', `backups/${round}.db`, '--store', 'busy.db', '--json']);
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      const [{ nodes, observations }] = JSON.parse(outcome.stdout).graphs;
      // Each write makes two nodes, so half a write would show.
      expect(nodes % 2).toBe(0);
      expect(observations).toBe(nodes);
      expect(nodes).toBeGreaterThanOrEqual(2 * before);
      expect(nodes).toBeLessThanOrEqual(2 * (written + 1));
    }
    expect((await readdir(sandbox.path('backups'))).sort()).toEqual(['1.db', '2.db', '3.db']);
  } finally {
    writing = false;
    await writer;
    await store.close();
  }
});

test('a backup of a JSON lines file is the same byte for byte, unreadable lines and all', async () => {
  const content =
    '{"type":"entity","name":"Ada","entityType":"person","observations":[],"colour":"red"}\r\nnot json';
  await writeFile(sandbox.path('memory.jsonl'), content);
  const outcome = await sandbox.run(['backup', 'copy.jsonl', '--file', 'memory.jsonl']);
  expect(outcome.code).toBe(0);
  expect(outcome.stdout).toBe(
    `Wrote ${sandbox.path('copy.jsonl')} (${content.length} bytes) and verified it.\n`,
  );
  expect(await readFile(sandbox.path('copy.jsonl'), 'utf8')).toBe(content);
  expect((await stat(sandbox.path('copy.jsonl'))).mode & 0o777).toBe(0o600);
  expect((await readdir(sandbox.folder)).filter((name) => /lock|tmp/.test(name))).toEqual([]);
});

test('a file that is there is replaced only with --force', async () => {
  await (await storeWithHistory(sandbox.path('a.db'), made)).close();
  await writeFile(sandbox.path('precious'), 'precious');
  const refused = await sandbox.run(['backup', 'precious', '--store', 'a.db']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('--force');
  expect(await readFile(sandbox.path('precious'), 'utf8')).toBe('precious');
  expect((await sandbox.run(['backup', 'precious', '--store', 'a.db', '--force'])).code).toBe(0);
  expect((await readFile(sandbox.path('precious'))).toString('latin1', 0, 6)).toBe('SQLite');
});

test('the store itself is never replaced, under whatever name', async () => {
  await (await storeWithHistory(sandbox.path('a.db'), made)).close();
  await symlink(sandbox.path('a.db'), sandbox.path('link'));
  for (const name of ['a.db', './a.db', 'link', 'a.db-wal']) {
    const refused = await sandbox.run(['backup', name, '--store', 'a.db', '--force']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('belongs to the store itself');
  }
});

test('a store that is not there, and one in PostgreSQL, are told apart', async () => {
  const missing = await sandbox.run(['backup', 'copy.db', '--store', 'nothing.db']);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain('STORE_UNAVAILABLE');
  const server = await sandbox.run([
    'backup',
    'copy.dump',
    '--store',
    'postgres://ann:secret@localhost:1/db',
  ]);
  expect(server.code).toBe(1);
  expect(server.stderr).toContain('pg_dump');
  expect(server.stderr).not.toContain('secret');
  expect(await readdir(sandbox.folder)).toEqual([]);
});

test('trust 35: a backup is verified although branches, commits and graphs were deleted meanwhile', async () => {
  const store = await openStoreAtLocation(sandbox.path('shrinking.db'));
  const write = (graph: string, branch: string, name: string) =>
    new Graph(store, graph, { branch }).write({ actor: 'ann', tool: 'test' }, (tx) =>
      createNodesLenient(tx, [{ type: 't', name, observations: ['x'] }]),
    );
  for (const graph of [defaultGraph, 'other']) {
    await store.createGraph(graph);
    await write(graph, 'main', 'one');
    for (const branch of ['kept', 'deleted', 'replaced']) {
      await store.createBranch(graph, branch);
      await write(graph, branch, branch);
    }
  }
  await backupSqlite(sandbox.path('shrinking.db'), sandbox.path('before.db'));
  await store.deleteBranch(defaultGraph, 'deleted');
  await store.deleteBranch(defaultGraph, 'replaced');
  await store.createBranch(defaultGraph, 'replaced');
  await write(defaultGraph, 'replaced', 'another');
  await store.deleteGraph('other');
  await store.createGraph('other');
  await write('other', 'main', 'two');
  const original = new SqliteConnection(sandbox.path('shrinking.db'));
  expect(await verifyBackup(original, sandbox.path('before.db'))).toMatchObject([
    { name: defaultGraph, nodes: 1 },
    { name: 'other', nodes: 1 },
  ]);
  // What is still there is compared.
  const copy = new SqliteConnection(sandbox.path('before.db'));
  copy.run(
    sql`delete from node_row where branch = (select id from branch where name = 'kept' and graph = 1)`,
  );
  copy.close();
  await expect(verifyBackup(original, sandbox.path('before.db'))).rejects.toThrow(
    'branch kept of graph default has different counts',
  );
  original.close();
  await store.close();
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { put, seen } from '../../../test/store/conformance/graph-by-name.js';
import { graphTables, removeGraph } from '../sql/delete-graph.js';
import { raw, sql } from '../sql/sql.js';
import { SqliteConnection } from './sqlite-connection.js';
import { openSqliteStore, type SqliteStore } from './sqlite-store.js';
import { indexPending, pendingCount } from './text/text-index.js';
import { writeTransaction } from './transaction.js';

const author = { actor: 'ann', tool: 'test' };
let folder: string;
let store: SqliteStore;
let aside: SqliteConnection;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  store = await openSqliteStore(join(folder, 'store.db'));
  aside = new SqliteConnection(store.location);
  for (const graph of ['default', 'work']) await store.createGraph(graph);
});
afterEach(async () => {
  aside.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const write = (graph: string, nodes: Record<string, string[]>) =>
  store.write({ graph }, author, (writer) => put(writer, { nodes }));

async function indexAll(): Promise<void> {
  while ((await pendingCount(aside)) > 0) await writeTransaction(aside, () => indexPending(aside, 1_000));
}

/** Every term that some document has, of both indexes. */
async function terms(): Promise<string[]> {
  const found: string[] = [];
  for (const index of ['text_trigrams', 'text_stems']) {
    aside.exec(`create virtual table temp.${index}_terms using fts5vocab (main, ${index}, row)`);
    found.push(
      ...(await aside.all(sql`select term from temp.${raw(index)}_terms`)).map(({ term }) => String(term)),
    );
    aside.exec(`drop table temp.${index}_terms`);
  }
  return found;
}

test('the text index forgets what only the deleted graph said, indexed or not', async () => {
  await write('default', { a: ['kept'] });
  await indexAll();
  const before = await terms();
  await write('work', { a: ['kept'], Zanzibar: ['Ümläut 東京タワー'] });
  await indexAll();
  expect((await terms()).length).toBeGreaterThan(before.length);
  await write('work', { later: ['not indexed'] });
  await store.deleteGraph('work');
  expect(await terms()).toEqual(before);
  expect(await store.check()).toEqual([]);
});

test('rows that take the numbers of deleted ones are indexed and found', async () => {
  await write('default', { a: ['kept'] });
  await write('work', { b: ['zanzibar'], c: ['zanzibar'] });
  await indexAll();
  await store.deleteGraph('work');
  await write('default', { d: ['timbuktu'] });
  const find = (needle: string) =>
    store.read({ graph: 'default' }, async (reader) => [
      (await reader.nodesContaining(needle)).nodes.length,
      (await reader.observationsWithWords([needle], { limit: 9 })).length,
    ]);
  for (const look of ['before the index has caught up', 'after']) {
    expect([await find('timbuktu'), await find('kept'), await find('zanzibar')], look).toEqual([
      [1, 1],
      [1, 1],
      [0, 0],
    ]);
    await indexAll();
  }
});

test('a deletion that was interrupted is told of, and finished by asking again', async () => {
  await write('work', { a: ['one'] });
  await writeTransaction(aside, () => removeGraph(aside, 'work', 0));
  expect(await store.advice()).toEqual([expect.stringContaining('trellis graph delete work')]);
  await store.createGraph('work');
  expect(await store.read({ graph: 'work' }, seen)).toEqual({ nodes: {}, edges: [] });
  await store.deleteGraph('work');
  expect(await store.advice()).toEqual([]);
  expect(await aside.all(sql`select * from node_row`)).toEqual([]);
  await expect(store.deleteGraph('work')).rejects.toMatchObject({ code: 'GRAPH_NOT_FOUND' });
});

test('every table whose rows belong to a graph is emptied', async () => {
  const tables = await aside.all(
    sql`select t.name from sqlite_schema t join pragma_table_info(t.name) c on c.name = 'graph' where t.type = 'table'`,
  );
  expect(graphTables.map(({ name }) => name).sort()).toEqual(tables.map(({ name }) => name).sort());
});

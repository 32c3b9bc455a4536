import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { put } from '../../../../test/store/conformance/graph-by-name.js';
import { SqliteConnection } from '../../sqlite/sqlite-connection.js';
import { sqliteDialect } from '../../sqlite/sqlite-dialect.js';
import { openSqliteStore } from '../../sqlite/sqlite-store.js';
import { indexPending } from '../../sqlite/text/text-index.js';
import { writeTransaction } from '../../sqlite/transaction.js';
import type { Executor, Fragment, SqlParam } from '../executor.js';
import { readNumber, selectNumber } from '../rows.js';
import { raw, sql } from '../sql.js';
import { deleteRowVectors } from '../vectors/text-vectors.js';
import { collect } from './collect.js';
import { type RowRange, rowRanges } from './row-ranges.js';

const author = { actor: 'ann', tool: 'test' };
const dropped = 2_600;
let folder: string;
let database: SqliteConnection;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-collect-'));
  const store = await openSqliteStore(join(folder, 'store.db'));
  for (const graph of ['default', 'other']) await store.createGraph(graph);
  const names = Array.from({ length: dropped }, (_, index) => `node ${index}`);
  await store.createBranch('default', 'draft');
  for (const graph of ['default', 'other'])
    await store.write({ graph, branch: graph === 'default' ? 'draft' : 'main' }, author, (writer) =>
      put(writer, { nodes: Object.fromEntries(names.map((name) => [name, []])) }),
    );
  await store.write({ graph: 'default' }, author, (writer) => put(writer, { nodes: { kept: [] } }));
  await store.deleteBranch('default', 'draft');
  await store.close();
  database = new SqliteConnection(join(folder, 'store.db'));
  await writeTransaction(database, async () => {
    while ((await indexPending(database, 1_000)) > 0);
  });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

/** How many values the lists of each statement have. */
class ListLengths implements Executor {
  readonly lengths: number[] = [];

  all(statement: Fragment) {
    this.#note(statement.params);
    return database.all(statement);
  }

  run(statement: Fragment): void {
    this.#note(statement.params);
    database.run(statement);
  }

  insert(table: string, columns: readonly string[], rows: readonly (readonly SqlParam[])[]): void {
    this.lengths.push(rows.length);
    database.insert(table, columns, rows);
  }

  #note(params: readonly SqlParam[]): void {
    for (const param of params) if (Array.isArray(param)) this.lengths.push(param.length);
  }
}

const countRows = (graph: string) =>
  selectNumber(
    database,
    sql`select count(*) as n from node_row where graph = (select id from graph where name = ${graph})`,
  );

test('collecting deletes in short statements and short transactions', async () => {
  const perTransaction: number[] = [];
  const lists: number[] = [];
  const graph = await selectNumber(database, sql`select id as n from graph where name = 'default'`);
  const result = await collect(
    {
      dialect: sqliteDialect,
      read: (work) => work(database),
      transact: async (work) => {
        const executor = new ListLengths();
        const before = await countRows('default');
        const done = await writeTransaction(database, () => work(executor));
        perTransaction.push(before - (await countRows('default')));
        lists.push(...executor.lengths);
        return done;
      },
    },
    graph,
    { before: Number.MAX_SAFE_INTEGER },
  );
  expect(result.nodes).toBe(dropped);
  expect(await countRows('default')).toBe(1);
  expect(await countRows('other')).toBe(dropped);
  expect(Math.max(...lists)).toBe(250);
  expect(Math.max(...perTransaction)).toBe(500);
});

test('ranges of rows have at most so many rows, skip none but the newest, and are not hindered by gaps', async () => {
  database.run(sql`delete from node_row where row between 100 and 1500`);
  const all = (await database.all(sql`select row from node_row order by row`)).map((row) =>
    readNumber(row, 'row'),
  );
  const ranges: RowRange[] = [];
  for await (const range of rowRanges((statement) => database.all(statement), 'node_row', raw('true'), 1_000))
    ranges.push(range);
  const inRange = ({ after, before }: RowRange) => all.filter((row) => row > after && row < before);
  expect(ranges.map((range) => inRange(range).length)).toEqual([1_000, 1_000, 1_000, 800 - 1]);
  expect(ranges.flatMap(inRange)).toEqual(all.slice(0, -1));
});

test('the vectors of a row are found by its document, not by looking at all of the graph', () => {
  const plan: string[] = [];
  const explaining: Executor = {
    all: (statement) => database.all(statement),
    run: ({ sql: text, params }) => {
      if (!text.includes('text_vector')) return;
      for (const row of database.rows({ sql: `explain query plan ${text}`, params }))
        plan.push(String(row['detail']));
    },
    insert: () => {},
  };
  deleteRowVectors({ executor: explaining, dialect: sqliteDialect, graph: 1 }, 'node_row', [1, 2, 3]);
  expect(plan.join()).toContain('(graph=? AND space=? AND document=?)');
});

import { expect, test } from 'vitest';
import { sql } from '../../sql/sql.js';
import { SqliteConnection } from '../sqlite-connection.js';
import { migrateSqlite, sqliteTablesVersion } from '../sqlite-migrations.js';
import { writeTransaction } from '../transaction.js';
import { indexPending, pendingCount, removeFromTextIndex } from './text-index.js';
import { TextIndexer } from './text-indexer.js';

const observationColumns = ['graph', 'branch', 'born', 'node', 'ordinal', 'text', 'created_at'];

/** SQLite merges so many segments of a level by itself, all in one commit. */
const crisis = 16;

async function segments(connection: SqliteConnection): Promise<number> {
  const [row] = await connection.all(sql`select count(distinct segid) as n from text_trigrams_idx`);
  return Number(row?.['n']);
}

test.each([sqliteTablesVersion, 1])(
  'trust 32: tables of version %i are merged in portions, never in one burst within a commit',
  async (version) => {
    const connection = new SqliteConnection(':memory:');
    await migrateSqlite(connection, ':memory:', version);
    await migrateSqlite(connection, ':memory:');
    for (const table of ['text_trigrams', 'text_stems']) {
      const config = await connection.all({
        sql: `select v from ${table}_config where k = 'automerge'`,
        params: [],
      });
      expect(config).toEqual([{ v: 0 }]);
    }
    const indexer = new TextIndexer(connection);
    const most: number[] = [];
    for (let batch = 0; batch < 3 * crisis; batch++) {
      await connection.exclusive(() =>
        writeTransaction(connection, async () => {
          connection.insert(
            'observation_row',
            observationColumns,
            Array.from({ length: 300 }, (_, row) => [
              1,
              1,
              1,
              batch,
              row,
              `${Math.sin(batch * 300 + row)}`,
              0,
            ]),
          );
        }),
      );
      indexer.wake(300);
      await expect.poll(() => pendingCount(connection), { interval: 5 }).toBe(0);
      most.push(await segments(connection));
    }
    await indexer.close();
    expect(Math.max(...most)).toBeLessThan(crisis);
    connection.close();
  },
);

test('removing documents in many transactions pays for its merging, so no commit merges all of them', async () => {
  const connection = new SqliteConnection(':memory:');
  await migrateSqlite(connection, ':memory:');
  const count = 50 * 3 * crisis;
  connection.insert(
    'observation_row',
    ['graph', 'branch', 'born', 'node', 'ordinal', 'text', 'created_at'],
    Array.from({ length: count }, (_, row) => [1, 1, 1, row, 1, `${Math.sin(row)}`, 0]),
  );
  await writeTransaction(connection, () => indexPending(connection, count));
  const most: number[] = [];
  for (let from = 1; from <= count; from += 50) {
    const rows = Array.from({ length: 50 }, (_, index) => from + index);
    await writeTransaction(connection, () => removeFromTextIndex(connection, 'observation_row', rows));
    most.push(await segments(connection));
  }
  expect(Math.max(...most)).toBeLessThan(crisis);
  connection.close();
});

test.each([sqliteTablesVersion, 1])(
  'in tables of version %i, a range of a text index is looked up, not scanned for',
  async (version) => {
    const connection = new SqliteConnection(':memory:');
    await migrateSqlite(connection, ':memory:', version);
    await migrateSqlite(connection, ':memory:');
    for (const table of ['text_trigrams_data', 'text_stems_data']) {
      const [step] = await connection.all({
        sql: `explain query plan select 1 from ${table} where id >= 1 and id <= 2`,
        params: [],
      });
      expect(step?.['detail']).toMatch(/^SEARCH/);
    }
    connection.close();
  },
);

test('woken again by a pause while it catches up, it does not interrupt itself', async () => {
  const connection = new SqliteConnection(':memory:');
  await migrateSqlite(connection, ':memory:');
  const rows = Array.from({ length: 8_000 }, (_, row) => [1, 1, 1, 1, row, `text number ${row}`, 0]);
  await writeTransaction(connection, async () =>
    connection.insert('observation_row', observationColumns, rows),
  );
  let turns = 0;
  const exclusive = connection.exclusive.bind(connection);
  connection.exclusive = (work, owner) => {
    turns += 1;
    return exclusive(work, owner);
  };
  const indexer = new TextIndexer(connection);
  indexer.wake(rows.length);
  await expect.poll(() => pendingCount(connection), { interval: 5 }).toBe(0);
  await indexer.close();
  // Eight batches of 250 rows share a turn; the last ones find that nothing is left.
  expect(turns).toBeLessThanOrEqual(8_000 / 2_000 + 2);
  connection.close();
});

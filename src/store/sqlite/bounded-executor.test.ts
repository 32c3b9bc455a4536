import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StatementOptions } from '../sql/executor.js';
import { sql } from '../sql/sql.js';
import { BoundedExecutor, budgetExceeded } from './bounded-executor.js';
import { SqliteConnection } from './sqlite-connection.js';

let connection: SqliteConnection;
let reads: BoundedExecutor;

beforeEach(() => {
  connection = new SqliteConnection(':memory:');
  reads = new BoundedExecutor(connection);
});
afterEach(() => connection.close());

const readRows = (count: number, options?: StatementOptions) =>
  reads.attempt(async () => {
    const numbers = sql`with recursive n (x) as (select 1 union all select x + 1 from n where x < ${count}) select x from n`;
    return (await reads.all(numbers, options)).length;
  });

test('a short read may read 2,500 rows', async () => {
  expect(await readRows(2_500)).toBe(2_500);
  expect(await readRows(2_501)).toBe(budgetExceeded);
  expect(await readRows(1)).toBe(1);
});

test('a short read that searches texts ends after 500 hits, since each takes longer than reading a row', async () => {
  expect(await readRows(500, { searches: true })).toBe(500);
  expect(await readRows(501, { searches: true })).toBe(budgetExceeded);
});

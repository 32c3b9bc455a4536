import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { PgExecutor } from '../../src/store/postgres/pg-executor.js';
import { openPool } from '../../src/store/postgres/pool.js';
import { sql } from '../../src/store/sql/sql.js';
import { type FreshDatabase, freshDatabase } from './support/fresh-database.js';
import { isCitus } from './support/nodes.js';
import { describeWithRealServer } from './support/real.js';

const usual = isCitus ? 'auto' : 'force_generic_plan';

describeWithRealServer('a transaction that makes a small table large', () => {
  let database: FreshDatabase;
  let pool: pg.Pool;
  let client: pg.PoolClient;
  beforeEach(async () => {
    database = await freshDatabase();
    await (await openStoreAtLocation(database.url)).close();
    pool = openPool(database.url, isCitus ? 'auto' : 'generic');
    client = await pool.connect();
  });
  afterEach(async () => {
    client.release();
    await pool.end();
    await database.drop();
  });

  const setting = async (name: string) =>
    (await client.query(`select current_setting('${name}') as value`)).rows[0]?.value;
  const columns = ['graph', 'node', 'type', 'name', 'name_hash', 'next_ordinal'];
  let last = 0;
  const insert = async (executor: PgExecutor, count: number) => {
    const rows = Array.from({ length: count }, () => {
      const node = ++last;
      return [1, node, 't', `n${node}`, `00000000-0000-0000-0000-${String(node).padStart(12, '0')}`, 1];
    });
    executor.insert('identity', columns, rows);
    await executor.flush();
  };

  test('plans its statements again until it has statistics, and later transactions keep theirs', async () => {
    const executor = new PgExecutor(client);
    executor.run(sql`begin`);
    await insert(executor, 2);
    expect(await setting('plan_cache_mode')).toBe(usual);
    const patience = await setting('lock_timeout');
    await insert(executor, 250);
    expect(await setting('plan_cache_mode')).toBe('force_custom_plan');
    await insert(executor, 5_000);
    await insert(executor, 250);
    expect(await setting('plan_cache_mode')).toBe(isCitus ? 'force_custom_plan' : usual);
    expect(await setting('lock_timeout')).toBe(patience);
    executor.run(sql`commit`);
    await executor.flush();
    if (isCitus) return;
    const later = new PgExecutor(client);
    later.run(sql`begin`);
    await insert(later, 250);
    expect(await setting('plan_cache_mode')).toBe(usual);
    later.run(sql`rollback`);
    await later.flush();
  });

  test('does not wait for whoever maintains the tables', async () => {
    const other = new pg.Client(database.url);
    await other.connect();
    await other.query('begin; lock table trellis.edge_row in share update exclusive mode');
    const executor = new PgExecutor(client);
    executor.run(sql`begin`);
    for (const count of [250, 5_000, 250]) await insert(executor, count);
    expect(await setting('plan_cache_mode')).toBe('force_custom_plan');
    executor.run(sql`rollback`);
    await executor.flush();
    await other.end();
  });

  test('does not fail if waiting for them takes longer than a statement may', async () => {
    const other = new pg.Client(database.url);
    await other.connect();
    await other.query('begin; lock table trellis.identity in share update exclusive mode');
    const executor = new PgExecutor(client);
    executor.run(sql`begin`);
    executor.run(sql`set local statement_timeout = 500`);
    for (const count of [250, 5_000, 250]) await insert(executor, count);
    executor.run(sql`rollback`);
    await executor.flush();
    await other.end();
  });

  test('whoever waits for one of its statements learns why it failed', async () => {
    const executor = new PgExecutor(client);
    executor.run(sql`begin`);
    executor.run(sql`select 1 / 0`);
    const [first, second] = [executor.all(sql`select 1`), executor.all(sql`select 2`)];
    await expect(second).rejects.toMatchObject({ code: '22012' });
    await expect(first).rejects.toMatchObject({ code: '22012' });
    await expect(executor.all(sql`select 3`)).rejects.toMatchObject({ code: '22012' });
    executor.run(sql`rollback`);
    await executor.flush();
  });
});

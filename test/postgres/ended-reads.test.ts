import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TrellisError } from '../../src/model/error.js';
import { CancellableReads } from '../../src/store/postgres/cancellable-reads.js';
import type { PgExecutor } from '../../src/store/postgres/pg-executor.js';
import { openPool } from '../../src/store/postgres/pool.js';
import { ReadCancellation } from '../../src/store/read-cancellation.js';
import { sql } from '../../src/store/sql/sql.js';
import { type BorrowedDatabase, borrowDatabase } from '../helpers/borrowed-database.js';
import { describeWithRealServer } from './support/real.js';

/** PGlite has one connection and cannot interrupt what it does. */
describeWithRealServer('a read of PostgreSQL that has to end', () => {
  let database: BorrowedDatabase;
  let pool: pg.Pool;
  let reads: CancellableReads;
  beforeEach(async () => {
    database = await borrowDatabase();
    pool = openPool(database.url);
    reads = new CancellableReads(pool);
  });
  afterEach(async () => {
    await pool.end();
    await database.giveBack();
  });

  const sleep = (executor: PgExecutor) => executor.all(sql`select pg_sleep(600)`);
  const sleeping = async () =>
    (
      await pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(600)' and state = 'active'",
      )
    ).rowCount;
  const untilSleeping = (count: number) => expect.poll(sleeping).toBe(count);

  test('leaves no statement running', async () => {
    const ending = new ReadCancellation({});
    const ended = expect(reads.run(ending, sleep)).rejects.toMatchObject({ message: 'Enough.' });
    await untilSleeping(1);
    ending.cancel(new TrellisError('CANCELLED', 'Enough.'));
    await ended;
    await untilSleeping(0);
  });

  test('ends at its time limit', async () => {
    const ending = new ReadCancellation({ timeLimit: 300 });
    await expect(ending.run(undefined, () => reads.run(ending, sleep))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
    await untilSleeping(0);
  });

  test('PostgreSQL knows the limit too, in case nobody is left to tell it', async () => {
    const timeout = (executor: PgExecutor) =>
      executor.all(sql`select current_setting('statement_timeout') as most`);
    expect(await reads.run(new ReadCancellation({ timeLimit: 5_000 }), timeout)).toEqual([{ most: '6s' }]);
    expect(await reads.run(new ReadCancellation({}), timeout)).toEqual([{ most: '40s' }]);
  });
});

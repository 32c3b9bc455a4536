import type pg from 'pg';

/** The same on every server, so that those that start together change the tables one after another. */
const alterLockKey = 7_274_665_115_397;

/** Changes tables in one transaction, alone among all servers, however long that takes. */
export async function alterTables(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin; set local statement_timeout = 0; set local lock_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [alterLockKey]);
    await work(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

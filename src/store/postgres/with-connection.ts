import type pg from 'pg';
import { PgExecutor } from './pg-executor.js';
import { isLostConnection } from './postgres-errors.js';

/** Runs a read's statements on one connection, where they need not wait for one another's answers. */
export async function withConnection<T>(
  pool: pg.Pool,
  work: (executor: PgExecutor) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    return await work(new PgExecutor(client));
  } catch (error) {
    broken = isLostConnection(error);
    throw error;
  } finally {
    client.release(broken);
  }
}

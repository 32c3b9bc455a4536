import { retry } from '../../bounds/retry.js';
import { sql } from '../sql/sql.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { isBusy } from './sqlite-errors.js';

/** Repeats work for up to 30 seconds while the file is locked. */
export function retryWhileBusy<T>(work: () => T | Promise<T>): Promise<T> {
  return retry(work, { isTransient: isBusy, delayMs: 1, maxDelayMs: 25, forMs: 30_000 });
}

function isLocked(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  }
}

export async function writeTransaction<T>(connection: SqliteConnection, work: () => Promise<T>): Promise<T> {
  const begin = () => connection.run(sql`begin immediate`);
  if (isLocked(begin)) await retryWhileBusy(begin);
  try {
    const result = await work();
    if (!connection.inTransaction) throw new LostTransaction();
    connection.run(sql`commit`);
    return result;
  } catch (error) {
    connection.rollbacks += 1;
    if (connection.inTransaction) connection.run(sql`rollback`);
    throw error;
  }
}

/** Runs `work` so that its failure undoes what it did, and nothing else, of the open transaction. */
export async function withSqliteSavepoint(
  connection: SqliteConnection,
  work: () => Promise<void>,
): Promise<void> {
  connection.run(sql`savepoint one_write`);
  try {
    await work();
  } catch (error) {
    // A full disk ends the whole transaction, not only this part of it.
    if (!connection.inTransaction) throw new LostTransaction(error);
    connection.rollbacks += 1;
    connection.run(sql`rollback to one_write`);
    connection.run(sql`release one_write`);
    throw error;
  }
  if (!connection.inTransaction) throw new LostTransaction();
  connection.run(sql`release one_write`);
}

/** SQLite has dropped the transaction: nothing of it is stored, whatever its statements answered. */
export class LostTransaction extends Error {
  constructor(cause?: unknown) {
    super('The database dropped the transaction.', { cause });
  }
}

/**
 * Runs `work` on one unchanging state of the database; never waits for the write lock. What `look` reads fixes the state:
 * it may find the log being recovered, and is then done again.
 */
export async function readTransaction<L, T>(
  connection: SqliteConnection,
  look: () => Promise<L>,
  work: (seen: L) => Promise<T>,
): Promise<T> {
  try {
    const seen = await retryWhileBusy(() => {
      if (!connection.inTransaction) connection.run(sql`begin`);
      return look();
    });
    return await work(seen);
  } finally {
    if (connection.inTransaction) connection.run(sql`commit`);
  }
}

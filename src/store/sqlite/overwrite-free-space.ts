import { sql } from '../sql/sql.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { retryWhileBusy } from './transaction.js';

/** Rewrites the file without what was deleted from it, and empties the log that still has it. */
export async function overwriteFreeSpace(connection: SqliteConnection): Promise<void> {
  connection.exec('pragma secure_delete = on');
  try {
    await retryWhileBusy(() => connection.exec('vacuum'));
    // Readers of an older state keep the log; the next to close the file folds it.
    await connection.all(sql`pragma wal_checkpoint(truncate)`);
  } finally {
    connection.exec('pragma secure_delete = off');
  }
}

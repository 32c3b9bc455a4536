import { TrellisError } from '../../model/error.js';
import { sql } from '../sql/sql.js';
import { SqliteConnection } from './sqlite-connection.js';
import { describeSqliteError, isBusy } from './sqlite-errors.js';

/** Runs `work` while nothing else has the database open, nor can open it. */
export async function whileUnused<T>(
  path: string,
  work: (connection: SqliteConnection) => Promise<T>,
): Promise<T> {
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(path);
    // Before the first access: SQLite then needs the whole file for itself.
    connection.exec('pragma locking_mode = exclusive');
    connection.run(sql`begin exclusive`);
    connection.run(sql`commit`);
    await connection.all(sql`pragma wal_checkpoint(truncate)`);
    return await work(connection);
  } catch (error) {
    if (!isBusy(error)) throw describeSqliteError(error, path);
    throw new TrellisError('STORE_BUSY', `${path} is in use. Nothing was changed.`, {
      hint: 'Stop the servers and clients that have it open, then run the command again.',
      cause: error,
    });
  } finally {
    connection?.close();
  }
}

import type { OpenVectors } from '../../open-vector-source.js';
import { sql } from '../../sql/sql.js';
import { SqliteConnection } from '../sqlite-connection.js';
import { readTransaction, retryWhileBusy, writeTransaction } from '../transaction.js';
import { PacedWrites } from './paced-writes.js';
import { SqliteVectorStore } from './sqlite-vector-store.js';

/** Few enough that commits of others do not find the log so long that they have to fold it. */
const transactionsPerFold = 24;

/** A connection beside that of the store; its writes are short and leave most of the time to others. */
export async function openSqliteVectors({ path }: { readonly path: string }): Promise<OpenVectors> {
  const connection = await retryWhileBusy(() => new SqliteConnection(path));
  // A vector that is lost with the power is made again, so no transaction waits for the disk, or folds the log.
  connection.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0');
  const writes = new PacedWrites(connection);
  let transactions = 0;
  const vectors = new SqliteVectorStore({
    read: (look) =>
      readTransaction(
        connection,
        () => look(connection),
        async (seen) => seen,
      ),
    async transact(change) {
      const changed = await writes.run(() => writeTransaction(connection, () => change(connection)));
      transactions += 1;
      if (transactions % transactionsPerFold === 0) await connection.all(sql`pragma wal_checkpoint(passive)`);
      return changed;
    },
  });
  return { vectors, close: async () => connection.close() };
}

import { sql } from '../sql/sql.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { refreshTextIndex } from './text/text-index.js';
import { readTransaction } from './transaction.js';

/** What SQLite's own check finds; empty if nothing is damaged. */
export function findDamage(reader: SqliteConnection): Promise<string[]> {
  return reader.exclusive(async () => {
    const integrity = await readTransaction(
      reader,
      () => refreshTextIndex(reader),
      () => reader.all(sql`pragma integrity_check`),
    );
    return integrity.map((row) => String(row['integrity_check'])).filter((finding) => finding !== 'ok');
  });
}

import pg from 'pg';
import { raw, sql } from '../../src/store/sql/sql.js';
import { SqliteConnection } from '../../src/store/sqlite/sqlite-connection.js';
import type { Scratch } from './stores.js';

/** What the tables of a store say, asked of the database itself; PostgreSQL counts in strings. */
export async function selectRows(
  { path, store }: Scratch,
  statement: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  if (store.kind === 'sqlite') {
    const connection = new SqliteConnection(path, { readOnly: true });
    const rows = await connection.all(sql`${raw(statement)}`);
    connection.close();
    return rows.map((row) => ({ ...row }));
  }
  const client = new pg.Client({ connectionString: path, options: '-c search_path=trellis' });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

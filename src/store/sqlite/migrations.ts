import { TrellisError } from '../../model/error.js';
import { addHistory, createTables } from '../sql/schema.js';
import type { Connection } from './connection.js';
import { historyStatistics, plannerStatistics } from './planner-statistics.js';
import { createTextIndex } from './text-index.js';

/** Marks a file as ours in its header: "TRLS". */
const applicationId = 0x54524c53;

/** Each entry brings a file from its index to the next version; entries are only ever added. */
const migrations: readonly (readonly string[])[] = [
  [
    ...createTables({
      rowId: 'integer primary key',
      integer: 'integer',
      real: 'real',
      clustered: 'without rowid',
    }),
    ...createTextIndex,
    ...plannerStatistics,
  ],
  [...addHistory({ integer: 'integer' }), ...historyStatistics],
];

/** The version of the tables this program reads and writes. */
export const schemaVersion = migrations.length;

/** Brings the tables up to date, inside the caller's write transaction. */
export async function migrate(connection: Connection, path: string): Promise<void> {
  const from = await fileVersion(connection, path);
  for (const statements of migrations.slice(from)) {
    for (const statement of statements) connection.exec(statement);
  }
  connection.exec(`pragma application_id = ${applicationId}; pragma user_version = ${schemaVersion}`);
}

/** The version of the file's tables, 0 if it is empty; refuses a file of another program or of a newer Trellis. */
export async function fileVersion(connection: Connection, path: string): Promise<number> {
  const version = await pragma(connection, 'user_version');
  const id = await pragma(connection, 'application_id');
  const tables = await connection.all("select 1 from sqlite_schema where type = 'table' limit 1");
  if (id !== applicationId && (tables.length > 0 || version !== 0)) {
    throw new TrellisError('NOT_A_STORE', `${path} is an SQLite database, but not one of Trellis.`, {
      hint: 'Name another file, or a new one.',
    });
  }
  if (version > schemaVersion) {
    throw new TrellisError(
      'STORE_TOO_NEW',
      `${path} was written by a newer Trellis: its tables have version ${version}, this program knows up to ${schemaVersion}.`,
      { hint: 'Update Trellis.', details: { version, known: schemaVersion } },
    );
  }
  return version;
}

async function pragma(connection: Connection, name: string): Promise<number> {
  const [row] = await connection.all(`pragma ${name}`);
  return Number(row?.[name] ?? 0);
}

import { TrellisError } from '../../model/error.js';
import type { Executor } from '../sql/executor.js';
import { createGraphSchemaTable } from '../sql/graph-schema-versions.js';
import { createNodePropertyTable, recordExistingProperties } from '../sql/properties/node-properties.js';
import { createPropertyIndexTables, dropPropertyRowIndex } from '../sql/properties/property-index.js';
import { createRejectionTable } from '../sql/rejection-log.js';
import { raw, sql } from '../sql/sql.js';
import {
  addAuthorColumns,
  addHistoryColumns,
  addPurgesColumn,
  createRemovedGraphTable,
  createTables,
  createTypeIndex,
  type TableTypes,
} from '../sql/sql-tables.js';
import { createNodePairTables } from '../sql/vectors/node-pairs/saved/node-pair-tables.js';
import { createVectorTables } from '../sql/vectors/vector-tables.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { sqliteDialect } from './sqlite-dialect.js';
import {
  historyStatistics,
  nodePropertyStatistics,
  plannerStatistics,
  propertyIndexStatistics,
  propertyValueStatistics,
  textIndexStatistics,
  typeIndexStatistics,
} from './sqlite-planner-statistics.js';
import { createTextIndex, mergeInPortions } from './text/text-index.js';

/** Marks a file as ours in its header: "TRLS". */
const applicationId = 0x54524c53;

const tableTypes: TableTypes = {
  rowId: 'integer primary key',
  integer: 'integer',
  real: 'real',
  clustered: 'without rowid',
};

type MigrationStep = string | ((executor: Executor) => Promise<void>);

/** Each entry migrates a file from its index to the next version; entries are only ever added. */
const migrations: readonly (readonly MigrationStep[])[] = [
  [...createTables(tableTypes), ...createTextIndex, ...plannerStatistics],
  [
    ...createNodePropertyTable(tableTypes),
    ...nodePropertyStatistics,
    (executor) => recordExistingProperties(executor, sqliteDialect),
  ],
  createRejectionTable(tableTypes),
  [createRemovedGraphTable(tableTypes)],
  [...addHistoryColumns(tableTypes), ...historyStatistics],
  [createTypeIndex, ...typeIndexStatistics],
  createVectorTables({ ...tableTypes, bytes: 'blob', serial: 'integer primary key autoincrement' }),
  createGraphSchemaTable(tableTypes),
  [...createPropertyIndexTables({ ...tableTypes, byCodePoint: '' }), ...propertyIndexStatistics],
  mergeInPortions,
  addAuthorColumns,
  textIndexStatistics,
  [addPurgesColumn(tableTypes)],
  createNodePairTables({ ...tableTypes, bytes: 'blob' }),
  [dropPropertyRowIndex, ...propertyValueStatistics],
];

export const sqliteTablesVersion = migrations.length;

/** Migrates the tables, to an earlier version in tests, inside the caller's write transaction. */
export async function migrateSqlite(
  connection: SqliteConnection,
  path: string,
  to = sqliteTablesVersion,
): Promise<void> {
  const from = await fileVersion(connection, path);
  for (const step of migrations.slice(from, to).flat()) {
    if (typeof step === 'string') connection.exec(step);
    else await step(connection);
  }
  connection.exec(`pragma application_id = ${applicationId}; pragma user_version = ${to}`);
}

/** The version of the file's tables, 0 if it is empty; refuses a file of another program or of a newer Trellis. */
export async function fileVersion(connection: SqliteConnection, path: string): Promise<number> {
  const version = await readPragma(connection, 'user_version');
  const id = await readPragma(connection, 'application_id');
  const tables = await connection.all(sql`select 1 from sqlite_schema where type = 'table' limit 1`);
  if (id !== applicationId && (tables.length > 0 || version !== 0)) {
    throw new TrellisError('NOT_A_STORE', `${path} is an SQLite database that Trellis did not create.`, {
      hint: 'Name another file, or a new one.',
    });
  }
  if (version > sqliteTablesVersion) {
    throw new TrellisError(
      'STORE_TOO_NEW',
      `${path} was written by a newer Trellis: its tables have version ${version}, this program knows up to ${sqliteTablesVersion}.`,
      { hint: 'Update Trellis.', details: { version, known: sqliteTablesVersion } },
    );
  }
  return version;
}

async function readPragma(connection: SqliteConnection, name: string): Promise<number> {
  const [row] = await connection.all(sql`pragma ${raw(name)}`);
  return Number(row?.[name] ?? 0);
}

import { TrellisError } from '../../model/error.js';
import type { Executor } from '../sql/executor.js';
import { createGraphSchemas } from '../sql/graph-schema.js';
import { createNodeProperties, noteExistingProperties } from '../sql/properties/node-properties.js';
import { createPropertyIndex } from '../sql/properties/property-index.js';
import { createRejections } from '../sql/rejections.js';
import { addHistory, createRemovedGraphs, createTables, type SchemaTypes } from '../sql/schema.js';
import { createTypeIndex } from '../sql/type-index.js';
import { createVectors } from '../sql/vectors/vector-schema.js';
import type { Connection } from './connection.js';
import { sqliteDialect } from './dialect.js';
import {
  historyStatistics,
  nodePropertyStatistics,
  plannerStatistics,
  propertyIndexStatistics,
  typeIndexStatistics,
} from './planner-statistics.js';
import { createTextIndex } from './text/text-index.js';

/** Marks a file as ours in its header: "TRLS". */
const applicationId = 0x54524c53;

const types: SchemaTypes = {
  rowId: 'integer primary key',
  integer: 'integer',
  real: 'real',
  clustered: 'without rowid',
};

/** A statement, or what a statement cannot say. */
type Step = string | ((executor: Executor) => Promise<void>);

/** Each entry brings a file from its index to the next version; entries are only ever added. */
const migrations: readonly (readonly Step[])[] = [
  [...createTables(types), ...createTextIndex, ...plannerStatistics],
  [
    ...createNodeProperties(types),
    ...nodePropertyStatistics,
    (executor) => noteExistingProperties(executor, sqliteDialect),
  ],
  createRejections(types),
  [createRemovedGraphs(types)],
  [...addHistory(types), ...historyStatistics],
  [...createTypeIndex, ...typeIndexStatistics],
  createVectors({ ...types, bytes: 'blob', serial: 'integer primary key autoincrement' }),
  createGraphSchemas(types),
  [...createPropertyIndex({ ...types, byCodePoint: '' }), ...propertyIndexStatistics],
];

/** The version of the tables this program reads and writes. */
export const schemaVersion = migrations.length;

/** Brings the tables up to date, or to an earlier version for tests, inside the caller's write transaction. */
export async function migrate(connection: Connection, path: string, to = schemaVersion): Promise<void> {
  const from = await fileVersion(connection, path);
  for (const step of migrations.slice(from, to).flat()) {
    if (typeof step === 'string') connection.exec(step);
    else await step(connection);
  }
  connection.exec(`pragma application_id = ${applicationId}; pragma user_version = ${to}`);
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

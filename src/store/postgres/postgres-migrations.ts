import type pg from 'pg';
import { TrellisError } from '../../model/error.js';
import type { Executor } from '../sql/executor.js';
import { createGraphSchemaTable } from '../sql/graph-schema-versions.js';
import { createNodePropertyTable, recordExistingProperties } from '../sql/properties/node-properties.js';
import { createPropertyIndexTables, dropPropertyRowIndex } from '../sql/properties/property-index.js';
import { createRejectionTable } from '../sql/rejection-log.js';
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
import { alterTables } from './alter-tables.js';
import { distributeNewTables } from './distribute-tables.js';
import { ginOptions } from './extensions.js';
import { addNameHashes } from './name-hash.js';
import { PgExecutor } from './pg-executor.js';
import { postgresSchemaName } from './pool.js';
import { postgresDialect } from './postgres-dialect.js';

const tableTypes: TableTypes = {
  rowId: 'bigint generated always as identity',
  integer: 'bigint',
  real: 'double precision',
  clustered: '',
};

type MigrationStep = string | ((executor: Executor) => Promise<void>);

/** Each entry migrates the tables from its index to the next version; entries are only ever added. */
const migrations: readonly (readonly MigrationStep[])[] = [
  [
    ...createTables(tableTypes),
    ...['node_row', 'observation_row', 'edge_row'].map(
      (table) => `alter table ${table} add primary key (graph, row)`,
    ),
    'create sequence node_id',
    'create sequence commit_seq',
    ...['node_row', 'observation_row'].flatMap((table) => [
      `alter table ${table} add column document text not null, add column stems text[] not null`,
      `create index ${table}_stems on ${table} using gin (stems) ${ginOptions}`,
    ]),
  ],
  [...createNodePropertyTable(tableTypes), (executor) => recordExistingProperties(executor, postgresDialect)],
  createRejectionTable(tableTypes),
  [createRemovedGraphTable(tableTypes)],
  addHistoryColumns(tableTypes),
  [createTypeIndex],
  createVectorTables({ ...tableTypes, bytes: 'bytea', serial: 'bigint generated always as identity' }),
  createGraphSchemaTable(tableTypes),
  createPropertyIndexTables({ ...tableTypes, byCodePoint: ' collate "C"' }),
  addNameHashes,
  addAuthorColumns,
  [addPurgesColumn(tableTypes)],
  createNodePairTables({ ...tableTypes, bytes: 'bytea' }),
  [dropPropertyRowIndex],
];

export const postgresTablesVersion = migrations.length;

/** Migrates the tables, to an earlier version in tests; any number of servers may do so at once. */
export async function migratePostgres(
  pool: pg.Pool,
  location: string,
  to = postgresTablesVersion,
): Promise<void> {
  if ((await tablesVersion(pool, location)) === to) return;
  await alterTables(pool, async (client) => {
    const version = await tablesVersion(client, location);
    if (version === to) return;
    // If the schema exists, the role need not be allowed to create one.
    if (!(await hasPostgresSchema(client))) await client.query(`create schema ${postgresSchemaName}`);
    await client.query('create table if not exists schema_version (version bigint not null)');
    for (const step of migrations.slice(version, to).flat()) await applyStep(client, step);
    await distributeNewTables(client, version === 0);
    await client.query('delete from schema_version');
    await client.query('insert into schema_version (version) values ($1)', [to]);
  });
}

async function applyStep(client: pg.PoolClient, step: MigrationStep): Promise<void> {
  if (typeof step === 'string') {
    await client.query(step);
    return;
  }
  const executor = new PgExecutor(client);
  await step(executor);
  await executor.flush();
}

/** 0 if there are no tables. */
async function tablesVersion(database: pg.Pool | pg.PoolClient, location: string): Promise<number> {
  // From the catalog's tables: functions such as to_regclass cache that a table is missing.
  const { rowCount } = await database.query(
    'select 1 from pg_catalog.pg_tables where schemaname = $1 and tablename = $2',
    [postgresSchemaName, 'schema_version'],
  );
  if (rowCount === 0) return 0;
  const versions = await database.query<{ version: number }>(
    `select version from ${postgresSchemaName}.schema_version`,
  );
  const version = versions.rows[0]?.version ?? 0;
  if (version <= postgresTablesVersion) return version;
  throw new TrellisError(
    'STORE_TOO_NEW',
    `${location} was written by a newer Trellis: its tables have version ${version}, this program knows up to ${postgresTablesVersion}.`,
    { hint: 'Update Trellis.', details: { version, known: postgresTablesVersion } },
  );
}

async function hasPostgresSchema(client: pg.PoolClient): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_catalog.pg_namespace where nspname = $1', [
    postgresSchemaName,
  ]);
  return rowCount === 1;
}

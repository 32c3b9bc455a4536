import type pg from 'pg';
import { TrellisError } from '../../model/error.js';
import type { Executor } from '../sql/executor.js';
import { createGraphSchemas } from '../sql/graph-schema.js';
import { createNodeProperties, noteExistingProperties } from '../sql/properties/node-properties.js';
import { createPropertyIndex } from '../sql/properties/property-index.js';
import { createRejections } from '../sql/rejections.js';
import { addHistory, createRemovedGraphs, createTables, type SchemaTypes } from '../sql/schema.js';
import { createTypeIndex } from '../sql/type-index.js';
import { createVectors } from '../sql/vectors/vector-schema.js';
import { postgresDialect } from './dialect.js';
import { ginOptions } from './gin.js';
import { hashNames } from './name-hash.js';
import { PgExecutor } from './pg-executor.js';
import { schemaName } from './pool.js';
import { changeSchema } from './schema-change.js';

const types: SchemaTypes = {
  rowId: 'bigint generated always as identity',
  integer: 'bigint',
  real: 'double precision',
  clustered: '',
};

/** A statement, or what a statement cannot say. */
type Step = string | ((executor: Executor) => Promise<void>);

/** Each entry brings the tables from its index to the next version; entries are only ever added. */
const migrations: readonly (readonly Step[])[] = [
  [
    ...createTables(types),
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
  [...createNodeProperties(types), (executor) => noteExistingProperties(executor, postgresDialect)],
  createRejections(types),
  [createRemovedGraphs(types)],
  addHistory(types),
  createTypeIndex,
  createVectors({ ...types, bytes: 'bytea', serial: 'bigint generated always as identity' }),
  createGraphSchemas(types),
  createPropertyIndex({ ...types, byCodePoint: ' collate "C"' }),
  hashNames,
];

export const schemaVersion = migrations.length;

/** Brings the tables up to date, or to an earlier version for tests; any number of servers may do so at once. */
export async function migrate(pool: pg.Pool, location: string, to = schemaVersion): Promise<void> {
  if ((await tablesVersion(pool, location)) === to) return;
  await changeSchema(pool, async (client) => {
    const version = await tablesVersion(client, location);
    if (version === to) return;
    // Where the schema is there, its maker need not be allowed to make others.
    if (!(await hasSchema(client))) await client.query(`create schema ${schemaName}`);
    await client.query('create table if not exists schema_version (version bigint not null)');
    for (const step of migrations.slice(version, to).flat()) await take(client, step);
    await client.query('delete from schema_version');
    await client.query('insert into schema_version (version) values ($1)', [to]);
  });
}

async function take(client: pg.PoolClient, step: Step): Promise<void> {
  if (typeof step === 'string') {
    await client.query(step);
    return;
  }
  const executor = new PgExecutor(client);
  await step(executor);
  await executor.settled();
}

/** The version of the tables; 0 if there are none. */
async function tablesVersion(database: pg.Pool | pg.PoolClient, location: string): Promise<number> {
  // Asked of the catalog's tables: what looks names up, such as to_regclass, remembers that there were none.
  const { rowCount } = await database.query(
    'select 1 from pg_catalog.pg_tables where schemaname = $1 and tablename = $2',
    [schemaName, 'schema_version'],
  );
  if (rowCount === 0) return 0;
  const versions = await database.query<{ version: number }>(
    `select version from ${schemaName}.schema_version`,
  );
  const version = versions.rows[0]?.version ?? 0;
  if (version > schemaVersion) throw tooNew(location, version);
  return version;
}

async function hasSchema(client: pg.PoolClient): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_catalog.pg_namespace where nspname = $1', [
    schemaName,
  ]);
  return rowCount === 1;
}

function tooNew(location: string, version: number): TrellisError {
  return new TrellisError(
    'STORE_TOO_NEW',
    `${location} was written by a newer Trellis: its tables have version ${version}, this program knows up to ${schemaVersion}.`,
    { hint: 'Update Trellis.', details: { version, known: schemaVersion } },
  );
}

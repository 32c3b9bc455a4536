import type pg from 'pg';
import { alterTables } from './alter-tables.js';
import { postgresSchemaName } from './pool.js';
import { postgresErrorCode } from './postgres-errors.js';

/**
 * New rows wait in a list, since adding them to the index one by one is slow. A search reads the whole list, and with the
 * default of 4 MB the planner would rather read the table.
 */
export const ginOptions = 'with (gin_pending_list_limit = 256)';

export interface Extensions {
  /** pg_trgm: substring search uses an index; without it rows are scanned. */
  readonly trigrams: boolean;
  /** pgvector, recent enough: search by meaning needs no copy of the vectors in memory. */
  readonly vectors: boolean;
}

const trigramIndexStatements = ['node_row', 'observation_row'].map(
  (table) =>
    `create index if not exists ${table}_document on ${table} using gin (document gin_trgm_ops) ${ginOptions}`,
);

const vectorColumnStatements = [
  'alter table text_vector add column if not exists embedding halfvec',
  'create index if not exists text_vector_unfilled on text_vector (graph, space) where embedding is null',
];

/** Uses the extensions that exist or may be created; does without the others. */
export async function ensureExtensions(pool: pg.Pool): Promise<Extensions> {
  const { trigrams, vectors } = await installedExtensions(pool);
  const hasTrigrams = trigrams && (await hasTrigramIndex(pool));
  const hasVectors = vectors && (await hasVectorColumn(pool));
  return {
    trigrams:
      hasTrigrams ||
      (await tryStatements(pool, [...(await creating(pool, 'pg_trgm')), ...trigramIndexStatements])),
    vectors: hasVectors || (await addVectorExtension(pool)),
  };
}

/** An extension that existed before may be too old, or in a schema where its types are not found. */
async function addVectorExtension(pool: pg.Pool): Promise<boolean> {
  if (!(await tryStatements(pool, await creating(pool, 'vector')))) return false;
  return (await installedExtensions(pool)).vectors && tryStatements(pool, vectorColumnStatements);
}

/** None if it is there: Citus lets nobody but its owner say that it should be. */
async function creating(pool: pg.Pool, extension: string): Promise<string[]> {
  const { rowCount } = await pool.query('select 1 from pg_extension where extname = $1', [extension]);
  return rowCount === 1 ? [] : [`create extension if not exists ${extension}`];
}

async function tryStatements(pool: pg.Pool, statements: readonly string[]): Promise<boolean> {
  try {
    await alterTables(pool, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
    return true;
  } catch (error) {
    if (!isMissingOrDenied(error)) throw error;
    return false;
  }
}

async function hasTrigramIndex(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query('select 1 from pg_indexes where schemaname = $1 and indexname = $2', [
    postgresSchemaName,
    'observation_row_document',
  ]);
  return rowCount === 1;
}

export async function hasVectorColumn(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select 1 from pg_attribute where attrelid = to_regclass($1) and attname = 'embedding' and not attisdropped`,
    [`${postgresSchemaName}.text_vector`],
  );
  return rowCount === 1;
}

export async function installedExtensions(pool: pg.Pool): Promise<Extensions> {
  const { rows } = await pool.query<{ name: string; version: string; types: boolean }>(
    `select extname as name, extversion as version, to_regtype('halfvec') is not null as types from pg_extension`,
  );
  const vector = rows.find(({ name }) => name === 'vector');
  return {
    trigrams: rows.some(({ name }) => name === 'pg_trgm'),
    vectors: vector?.types === true && isSupportedPgvector(vector.version),
  };
}

/** Of the server, and of the extensions that Trellis can use. */
export async function serverVersions(pool: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ name: string; version: string }>(
    `select 'PostgreSQL' as name, split_part(current_setting('server_version'), ' ', 1) as version
      union all select * from (select case extname when 'vector' then 'pgvector' else extname end, extversion
        from pg_extension where extname in ('pg_trgm', 'vector', 'citus') order by extname) e`,
  );
  return new Map(rows.map(({ name, version }) => [name, version]));
}

/** From 0.8 on, a search of an index goes on until enough rows meet a condition. */
function isSupportedPgvector(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 0 || minor >= 8;
}

/** Not installed on the server, no permission, not the owner of the table, or another server was faster. */
function isMissingOrDenied(error: unknown): boolean {
  return ['0A000', '58P01', '42501', '42704', '23505', '42710', '25006'].includes(
    postgresErrorCode(error) ?? '',
  );
}

import type pg from 'pg';
import { postgresSchemaName } from '../pool.js';

/** Up to this many vectors are compared exactly; above, an index proposes the nearest. */
export const maxScannedVectors = 10_000;
/** pgvector's maximum. */
const maxIndexedDimensions = 4_000;

/** One index per space, for all graphs. */
export function vectorIndexName(space: number): string {
  return `text_vector_near_${space}`;
}

/** Creates the index of a large space without blocking, unless it exists or another server is creating it. */
export async function createVectorIndex(pool: pg.Pool, space: number, dimension: number): Promise<void> {
  if (await hasOrNeedsNoIndex(pool, space, dimension)) return;
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(hashtext('trellis vector index'), $1) as mine`,
      [space],
    );
    if (rows[0]?.mine) await createIndexLocked(client, space, dimension);
  } finally {
    // Not reused: it has no timeouts now, and may hold the lock.
    client.release(true);
  }
}

/** Whether there is nothing to create. */
export async function hasOrNeedsNoIndex(pool: pg.Pool, space: number, dimension: number): Promise<boolean> {
  if (dimension > maxIndexedDimensions || (await indexState(pool, space)) === 'valid') return true;
  return !(await isLarge(pool, space));
}

async function createIndexLocked(client: pg.PoolClient, space: number, dimension: number): Promise<void> {
  const state = await indexState(client, space);
  if (state === 'valid') return;
  // An index left by an interruption serves no search, and slows writes.
  if (state === 'broken')
    await client.query(`drop index concurrently if exists ${postgresSchemaName}.${vectorIndexName(space)}`);
  // The nodes of a cluster do not look for it in our schema.
  const { rows } = await client.query<{ schema: string }>(
    `select quote_ident(n.nspname) as schema from pg_opclass o join pg_namespace n on n.oid = o.opcnamespace
      where o.opcname = 'halfvec_ip_ops' and pg_opclass_is_visible(o.oid)`,
  );
  await client.query(
    `create index concurrently ${vectorIndexName(space)} on ${postgresSchemaName}.text_vector
      using hnsw ((embedding::halfvec(${dimension})) ${rows[0]?.schema}.halfvec_ip_ops) where space = ${space}`,
  );
}

async function indexState(
  database: pg.Pool | pg.PoolClient,
  space: number,
): Promise<'none' | 'broken' | 'valid'> {
  const { rows } = await database.query<{ valid: boolean }>(
    'select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass($1)',
    [`${postgresSchemaName}.${vectorIndexName(space)}`],
  );
  return rows[0] === undefined ? 'none' : rows[0].valid ? 'valid' : 'broken';
}

async function isLarge(pool: pg.Pool, space: number): Promise<boolean> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*) as n from
      (select 1 from ${postgresSchemaName}.text_vector where space = $1 and embedding is not null limit $2) t`,
    [space, maxScannedVectors + 1],
  );
  return (rows[0]?.n ?? 0) > maxScannedVectors;
}

import type pg from 'pg';
import { schemaName } from '../pool.js';

/** Up to this many vectors are all compared, which is exact; of more, an index proposes the nearest. */
export const scannedUpTo = 10_000;
/** An index of pgvector cannot hold longer ones. */
const mostIndexedDimensions = 4_000;

/** The index over the vectors of a space; those of all graphs are in it. */
export function indexName(space: number): string {
  return `text_vector_near_${space}`;
}

/**
 * Makes the index of a space that has become large, while everything else goes on; does nothing where it is there, or
 * where another server is making it.
 */
export async function makeVectorIndex(pool: pg.Pool, space: number, dimension: number): Promise<void> {
  if (dimension > mostIndexedDimensions || (await indexState(pool, space)) === 'valid') return;
  if (!(await isLarge(pool, space))) return;
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(hashtext('trellis vector index'), $1) as mine`,
      [space],
    );
    if (rows[0]?.mine) await makeAlone(client, space, dimension);
  } finally {
    // Not given back: it has lost its limits, and may hold the lock.
    client.release(true);
  }
}

async function makeAlone(client: pg.PoolClient, space: number, dimension: number): Promise<void> {
  const state = await indexState(client, space);
  if (state === 'valid') return;
  // What an interruption has left serves no search, and slows writes.
  if (state === 'broken')
    await client.query(`drop index concurrently if exists ${schemaName}.${indexName(space)}`);
  await client.query(
    `create index concurrently ${indexName(space)} on ${schemaName}.text_vector
      using hnsw ((embedding::halfvec(${dimension})) halfvec_ip_ops) where space = ${space}`,
  );
}

async function indexState(
  database: pg.Pool | pg.PoolClient,
  space: number,
): Promise<'none' | 'broken' | 'valid'> {
  const { rows } = await database.query<{ valid: boolean }>(
    'select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass($1)',
    [`${schemaName}.${indexName(space)}`],
  );
  return rows[0] === undefined ? 'none' : rows[0].valid ? 'valid' : 'broken';
}

async function isLarge(pool: pg.Pool, space: number): Promise<boolean> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*) as n from
      (select 1 from ${schemaName}.text_vector where space = $1 and embedding is not null limit $2) t`,
    [space, scannedUpTo + 1],
  );
  return (rows[0]?.n ?? 0) > scannedUpTo;
}

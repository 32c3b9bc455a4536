import type pg from 'pg';
import { tableLayouts } from './distribute-tables.js';
import { postgresSchemaName } from './pool.js';

/** Bytes that our tables and their indexes take, on all nodes of a cluster. */
export async function databaseSize(pool: pg.Pool): Promise<number> {
  // A table of Citus is an empty shell for its shards.
  const shards = [...(await tableLayouts(pool)).keys()].map((table) => `${postgresSchemaName}.${table}`);
  const { rows } = await pool.query<{ bytes: string }>(
    `select coalesce(sum(pg_total_relation_size(oid)), 0)::text as bytes from pg_class
      where relkind = 'r' and relnamespace = $1::regnamespace`,
    [postgresSchemaName],
  );
  const local = Number(rows[0]?.bytes ?? 0);
  if (shards.length === 0) return local;
  const { rows: sums } = await pool.query<{ bytes: string }>(
    'select coalesce(sum(citus_total_relation_size(name::regclass)), 0)::text as bytes from unnest($1::text[]) name',
    [shards],
  );
  return local + Number(sums[0]?.bytes ?? 0);
}

import type pg from 'pg';
import { codeOf } from './errors.js';
import { ginOptions } from './gin.js';
import { schemaName } from './pool.js';
import { changeSchema } from './schema-change.js';

/** What the database can do beyond the standard. */
export interface Extensions {
  /** pg_trgm: substring search by index; without it rows are scanned. */
  readonly trigrams: boolean;
  /** pgvector: search by meaning; text and graph work without it. */
  readonly vectors: boolean;
}

const indexes = ['node_row', 'observation_row'].map(
  (table) =>
    `create index if not exists ${table}_document on ${table} using gin (document gin_trgm_ops) ${ginOptions}`,
);

/** Uses the extensions that are there or may be made; does without the others. */
export async function ensureExtensions(pool: pg.Pool): Promise<void> {
  const { trigrams } = await extensions(pool);
  const indexed = await pool.query('select 1 from pg_indexes where schemaname = $1 and indexname = $2', [
    schemaName,
    'observation_row_document',
  ]);
  if (trigrams && indexed.rowCount === 1) return;
  try {
    await changeSchema(pool, async (client) => {
      for (const statement of ['create extension if not exists pg_trgm', ...indexes])
        await client.query(statement);
    });
  } catch (error) {
    if (!isMissingOrForbidden(error)) throw error;
  }
}

export async function extensions(pool: pg.Pool): Promise<Extensions> {
  const { rows } = await pool.query<{ extname: string }>('select extname from pg_extension');
  const names = new Set(rows.map((row) => row.extname));
  return { trigrams: names.has('pg_trgm'), vectors: names.has('vector') };
}

/** Not installed on the server, not ours to create, not the owner of the table, or another server was faster. */
function isMissingOrForbidden(error: unknown): boolean {
  return ['0A000', '58P01', '42501', '42704', '23505', '42710', '25006'].includes(codeOf(error) ?? '');
}

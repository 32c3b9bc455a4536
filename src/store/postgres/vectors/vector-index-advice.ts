import type pg from 'pg';
import { hasVectorColumn, installedExtensions } from '../extensions.js';
import { postgresSchemaName } from '../pool.js';
import { maxDimensions } from './vector-column.js';
import { hasOrNeedsNoIndex } from './vector-index.js';

interface StoredSpace {
  readonly id: number;
  readonly model: string;
  readonly perspective: string;
  readonly dimension: number;
}

/** A role that does not own the tables can neither fill the column of pgvector nor create its index. */
export async function vectorIndexAdvice(pool: pg.Pool): Promise<string[]> {
  // Without pgvector, its absence is reported.
  if (!(await installedExtensions(pool)).vectors) return [];
  if (!(await hasVectorColumn(pool)))
    return ['The tables have no column for pgvector yet. Run trellis doctor as the owner of the tables.'];
  const advice: string[] = [];
  const { rows } = await pool.query<StoredSpace>(
    `select id, model, perspective, dimension from ${postgresSchemaName}.vector_space order by id`,
  );
  for (const space of rows) {
    const vectors = `vectors of ${space.model}${space.perspective === '' ? '' : ` (${space.perspective})`}`;
    if (space.dimension <= maxDimensions && (await hasUnfilled(pool, space.id)))
      advice.push(
        `Some ${vectors} are not in the column of pgvector, so each server searches a copy in memory. Run trellis embed as the owner of the tables.`,
      );
    else if (!(await hasOrNeedsNoIndex(pool, space.id, space.dimension)))
      advice.push(
        `The ${vectors} have no index, so a search by meaning compares all of them. Run trellis embed as the owner of the tables.`,
      );
  }
  return advice;
}

async function hasUnfilled(pool: pg.Pool, space: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select 1 from ${postgresSchemaName}.text_vector where space = $1 and embedding is null limit 1`,
    [space],
  );
  return rowCount === 1;
}

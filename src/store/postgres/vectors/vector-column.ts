import type { Executor } from '../../sql/executor.js';
import { readNumber } from '../../sql/rows.js';
import { sql } from '../../sql/sql.js';
import type { GraphSpaceKey } from '../../sql/vectors/nearest-document-index.js';
import { readVector, type VectorColumn } from '../../sql/vectors/text-vectors.js';

/**
 * Vectors as pgvector searches them, beside the exact ones that answers are weighed with: in half precision, which is enough
 * to propose candidates, takes half the room, and has indexes of up to 4,000 dimensions rather than 2,000.
 */
export const vectorColumn: VectorColumn = { name: 'embedding', value: formatHalfVector };

/** pgvector has no longer ones; the column stays empty, and a copy in memory is searched instead. */
export const maxDimensions = 16_000;

/** How pgvector writes a vector. */
export function formatHalfVector(vector: Float32Array): string | null {
  if (vector.length > maxDimensions) return null;
  // As millionths, which are printed several times quicker than decimals, and exact enough for half precision.
  return `[${Array.from(vector, (value) => `${Math.round(value * 1e6)}e-6`).join(',')}]`;
}

/** Rows filled by one transaction. */
const batchSize = 500;

/** Whether a space of a graph has vectors that are not in the column. */
export async function hasUnfilledVectors(
  executor: Executor,
  { graph, space }: GraphSpaceKey,
): Promise<boolean> {
  const rows = await executor.all(
    sql`select 1 from text_vector v where v.graph = ${graph} and v.space = ${space} and v.embedding is null limit 1`,
  );
  return rows.length > 0;
}

/** Fills the column of some rows that were written where pgvector was not there; inside a write transaction. */
export async function fillVectorColumn(executor: Executor, { graph, space }: GraphSpaceKey): Promise<void> {
  const rows = await executor.all(
    sql`select v.document, v.vector from text_vector v
      where v.graph = ${graph} and v.space = ${space} and v.embedding is null limit ${batchSize}`,
  );
  executor.run(
    sql`update text_vector v set embedding = f.embedding::halfvec
      from unnest(${rows.map((row) => readNumber(row, 'document'))}::bigint[], ${rows.map((row) => formatHalfVector(readVector(row)))}::text[]) as f (document, embedding)
      where v.graph = ${graph} and v.space = ${space} and v.document = f.document`,
  );
}

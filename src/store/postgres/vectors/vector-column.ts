import type { Executor } from '../../sql/executor.js';
import { readNumber } from '../../sql/rows.js';
import { sql } from '../../sql/sql.js';
import type { GraphSpaceKey } from '../../sql/vectors/nearest-document-index.js';
import { readVector, type VectorColumn } from '../../sql/vectors/text-vectors.js';

/**
 * Vectors in half precision, beside the exact ones that rank results: enough to propose candidates, half the size, and
 * indexes of up to 4,000 dimensions rather than 2,000.
 */
export const vectorColumn: VectorColumn = { name: 'embedding', value: formatHalfVector };

/** pgvector's maximum; the column of longer ones stays empty, and a copy in memory is searched. */
export const maxDimensions = 16_000;

export function formatHalfVector(vector: Float32Array): string | null {
  if (vector.length > maxDimensions) return null;
  // Millionths print several times faster than decimals, and are exact enough for half precision.
  return `[${Array.from(vector, (value) => `${Math.round(value * 1e6)}e-6`).join(',')}]`;
}

const batchSize = 500;

export async function hasUnfilledVectors(
  executor: Executor,
  { graph, space }: GraphSpaceKey,
): Promise<boolean> {
  const rows = await executor.all(
    sql`select 1 from text_vector v where v.graph = ${graph} and v.space = ${space} and v.embedding is null limit 1`,
  );
  return rows.length > 0;
}

/** Fills some rows that were written without pgvector; inside a write transaction. */
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

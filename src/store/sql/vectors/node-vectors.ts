import { chunksOf } from '../../../bounds/chunks.js';
import { TimeSlice } from '../../../bounds/time-slice.js';
import type { ReadContext } from '../dialect.js';
import { visible } from '../lineage.js';
import { readNumber } from '../rows.js';
import { sql } from '../sql.js';
import { readVector } from './text-vectors.js';

/** Vectors in memory at a time. */
const batchSize = 2_000;

/**
 * The sums of the vectors of each node's observations, without nodes that have none.
 * @param newest Vectors that were added after this one are left out.
 */
export async function sumVectors(
  reads: ReadContext,
  space: number,
  nodes: readonly number[],
  newest = Number.MAX_SAFE_INTEGER,
): Promise<Map<number, Float32Array>> {
  const sums = new Map<number, Float32Array>();
  if (nodes.length === 0) return sums;
  const seen = visible('observation_row', 'r', reads.lineage);
  const rows = await reads.executor.all(
    sql`select r.node, r.row * 2 + 1 as document from observation_row r
      where ${reads.dialect.inList('r.node', 'integer', nodes)} and (${seen}) order by r.node, r.ordinal`,
  );
  const turns = new TimeSlice();
  for (const portion of chunksOf(rows, batchSize)) {
    const documents = portion.map((row) => readNumber(row, 'document'));
    const vectors = await vectorsOf(reads, space, documents, newest);
    for (const row of portion) {
      if (turns.isOver) await turns.yieldToOthers();
      const vector = vectors.get(readNumber(row, 'document'));
      if (vector !== undefined) addTo(sums, readNumber(row, 'node'), vector);
    }
  }
  return sums;
}

export async function vectorsOf(
  { executor, dialect, lineage }: ReadContext,
  space: number,
  documents: readonly number[],
  newest = Number.MAX_SAFE_INTEGER,
): Promise<Map<number, Float32Array>> {
  const list = dialect.inList('v.document', 'integer', documents);
  const rows = await executor.all(
    sql`select v.document, v.vector from text_vector v where v.graph = ${lineage.graph} and v.space = ${space}
      and v.id <= ${newest} and ${list}`,
  );
  return new Map(rows.map((row) => [readNumber(row, 'document'), readVector(row)]));
}

function addTo(sums: Map<number, Float32Array>, node: number, vector: Float32Array): void {
  const sum = sums.get(node);
  if (sum === undefined) sums.set(node, vector);
  else for (let axis = 0; axis < sum.length; axis++) sum[axis] = (sum[axis] ?? 0) + (vector[axis] ?? 0);
}

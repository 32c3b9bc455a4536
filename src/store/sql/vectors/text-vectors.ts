import { chunksOf } from '../../../bounds/chunks.js';
import type { TextVector } from '../../vector-store.js';
import type { GraphContext } from '../dialect.js';
import type { Executor, SqlRow, SqlValue } from '../executor.js';
import type { VersionedTable } from '../lineage.js';
import { readNumber, selectNumber } from '../rows.js';
import { emptySql, joinSql, param, sql } from '../sql.js';
import type { GraphSpaceKey } from './nearest-document-index.js';
import { deleteNodePairs } from './node-pairs/saved/save-node-pairs.js';
import { textSources } from './text-source.js';

export interface VectorColumn {
  readonly name: string;
  value(vector: Float32Array): SqlValue;
}

/** Returns those that may be stored. */
export async function putVectors(
  executor: Executor,
  { graph, space }: GraphSpaceKey,
  given: readonly TextVector[],
  column?: VectorColumn,
): Promise<readonly TextVector[]> {
  const now = given.some(({ purges }) => purges !== undefined) ? await countPurges(executor, graph) : 0;
  const vectors = given.filter(({ purges = now }) => purges === now);
  const known = new Set<number>();
  for (const some of chunksOf(vectors, 500)) {
    const portion = some.map(({ document }) => document);
    const rows = await executor.all(
      sql`select document from text_vector where graph = ${graph} and space = ${space} and document in (${joinSql(portion.map(param), ', ')})`,
    );
    for (const row of rows) known.add(readNumber(row, 'document'));
  }
  executor.insert(
    'text_vector',
    ['graph', 'space', 'document', 'vector', ...(column === undefined ? [] : [column.name])],
    vectors
      .filter(({ document }) => !known.has(document))
      .map(({ document, vector }) => [
        ...[graph, space, document, vectorBytes(vector)],
        ...(column === undefined ? [] : [column.value(vector)]),
      ]),
  );
  return vectors;
}

/** How many purges have rewritten texts of a graph. */
export function countPurges(executor: Executor, graph: number): Promise<number> {
  return selectNumber(
    executor,
    sql`select coalesce(max(b.purges), 0) as n from branch b where b.graph = ${graph}`,
  );
}

export function deleteVectors(executor: Executor, graph: number, keep: readonly number[]): void {
  const others = keep.length === 0 ? emptySql : sql`and space not in (${joinSql(keep.map(param), ', ')})`;
  executor.run(sql`delete from text_vector where graph = ${graph} ${others}`);
  deleteNodePairs(executor, graph, keep);
  const sources = joinSql(textSources.map(param), ', ');
  executor.run(
    sql`delete from embedding_progress where graph = ${graph} and source in (${sources}) ${others}`,
  );
}

export function deleteRowVectors(
  { executor, dialect, graph }: GraphContext,
  table: VersionedTable,
  rows: readonly number[],
): void {
  if (table === 'edge_row' || rows.length === 0) return;
  const odd = table === 'observation_row' ? 1 : 0;
  const documents = rows.map((row) => row * 2 + odd);
  const list = dialect.inList('document', 'integer', documents);
  // By space too, as the index is ordered: without it, every vector of the graph is looked at.
  executor.run(
    sql`delete from text_vector where graph = ${graph} and space in (select id from vector_space) and ${list}`,
  );
}

/** For rows whose text has changed: drops their vectors, and searches for texts without one from there again. */
export function requeueEmbedding(tables: GraphContext, table: VersionedTable, rows: readonly number[]): void {
  if (table === 'edge_row' || rows.length === 0) return;
  deleteRowVectors(tables, table, rows);
  const before = rows.reduce((least, row) => Math.min(least, row)) - 1;
  const { executor, graph } = tables;
  executor.run(
    sql`update embedding_progress set upto = ${before} where graph = ${graph} and source = ${table} and upto > ${before}`,
  );
}

/** Little-endian, four bytes each. */
function vectorBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

export function readVector(row: SqlRow): Float32Array {
  // Copied: the bytes of a driver may not be aligned.
  return new Float32Array(Uint8Array.from(readVectorBytes(row)).buffer);
}

/** Of numbers of 32 bits, not aligned. */
export function readVectorBytes(row: SqlRow): Uint8Array {
  const value = row['vector'];
  if (!(value instanceof Uint8Array)) throw new TypeError('Column vector holds no bytes.');
  return value;
}

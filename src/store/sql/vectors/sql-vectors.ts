import type { PendingText, TextVector, VectorSpace } from '../../vectors.js';
import type { Dialect } from '../dialect.js';
import type { Executor, SqlRow, SqlValue } from '../executor.js';
import type { VersionedTable } from '../lineage.js';
import { integer, text } from '../rows.js';
import { nodeTextColumns, textOfNode } from '../text-of-node.js';

/** A table whose rows have a text to embed. */
export type TextSource = 'node_row' | 'observation_row';

/** What to read of each, and what the documents of its rows are called. */
interface SourceParts {
  readonly document: string;
  readonly columns: string;
  readonly real: string;
}

export const partsOf: Readonly<Record<TextSource, SourceParts>> = {
  node_row: {
    document: 'r.row * 2',
    columns: nodeTextColumns,
    real: 'and r.stub = 0',
  },
  observation_row: { document: 'r.row * 2 + 1', columns: 'r.text', real: '' },
};

/** Nodes have even documents, observations odd ones. */
export const textSources: readonly TextSource[] = ['node_row', 'observation_row'];

/** The number of a space, if it has one. */
export async function findSpace(executor: Executor, space: VectorSpace): Promise<number | undefined> {
  const [row] = await executor.all(
    'select id from vector_space where model = ? and perspective = ? and dimension = ?',
    [space.model, space.perspective, space.dimension],
  );
  return row === undefined ? undefined : integer(row, 'id');
}

/** The numbers of those of the spaces that have one. */
export async function findSpaces(executor: Executor, spaces: readonly VectorSpace[]): Promise<number[]> {
  const found = await Promise.all(spaces.map((space) => findSpace(executor, space)));
  return found.filter((id) => id !== undefined);
}

/** The spaces that a graph has vectors in. */
export async function spacesOfGraph(executor: Executor, graph: number): Promise<VectorSpace[]> {
  const rows = await executor.all(
    `select s.model, s.perspective, s.dimension from vector_space s where exists
      (select 1 from text_vector v where v.graph = ? and v.space = s.id) order by s.id`,
    [graph],
  );
  return rows.map((row) => ({
    model: text(row, 'model'),
    perspective: text(row, 'perspective'),
    dimension: integer(row, 'dimension'),
  }));
}

/** The number of a space, which gets one if it has none; inside a write transaction. */
export async function ensureSpace(executor: Executor, space: VectorSpace): Promise<number> {
  const known = await findSpace(executor, space);
  if (known !== undefined) return known;
  await executor.run(
    `insert into vector_space (id, model, perspective, dimension)
      select coalesce(max(id), 0) + 1, ?, ?, ? from vector_space`,
    [space.model, space.perspective, space.dimension],
  );
  return ensureSpace(executor, space);
}

/** Texts of a graph without a vector in the space, oldest first. */
export async function pendingTexts(
  executor: Executor,
  graph: number,
  space: VectorSpace,
  limit: number,
): Promise<PendingText[]> {
  const id = (await findSpace(executor, space)) ?? 0;
  const found: PendingText[] = [];
  for (const source of textSources) {
    const { document, columns, real } = partsOf[source];
    const rows = await executor.all(
      `select ${document} as document, ${columns} from ${source} r
        where r.graph = ? ${real} and r.row > coalesce((select p.upto from embedding_progress p
            where p.graph = ? and p.space = ? and p.source = '${source}'), 0)
          and not exists (select 1 from text_vector v
            where v.graph = ? and v.space = ? and v.document = ${document})
        order by r.row limit ?`,
      [graph, graph, id, graph, id, limit - found.length],
    );
    found.push(...rows.map((row) => ({ document: integer(row, 'document'), text: textOf(source, row) })));
    if (found.length >= limit) break;
  }
  return found;
}

/** The text of a row of a source, from its columns. */
export function textOf(source: TextSource, row: SqlRow): string {
  if (source === 'observation_row') return text(row, 'text');
  return textOfNode(row);
}

/** A column beside the vector that a database searches by. */
export interface VectorColumn {
  readonly name: string;
  value(vector: Float32Array): SqlValue;
}

/** Keeps the vectors of texts that still have none; inside a write transaction. */
export async function putVectors(
  executor: Executor,
  graph: number,
  space: number,
  vectors: readonly TextVector[],
  column?: VectorColumn,
): Promise<void> {
  const known = new Set<number>();
  for (let at = 0; at < vectors.length; at += 500) {
    const portion = vectors.slice(at, at + 500).map(({ document }) => document);
    const rows = await executor.all(
      `select document from text_vector where graph = ? and space = ? and document in (${portion.map(() => '?').join(', ')})`,
      [graph, space, ...portion],
    );
    for (const row of rows) known.add(integer(row, 'document'));
  }
  await executor.insert(
    'text_vector',
    ['graph', 'space', 'document', 'vector', ...(column === undefined ? [] : [column.name])],
    vectors
      .filter(({ document }) => !known.has(document))
      .map(({ document, vector }) => [
        ...[graph, space, document, bytesOf(vector)],
        ...(column === undefined ? [] : [column.value(vector)]),
      ]),
  );
}

/** Notes that every row up to these has its vector: only where rows become visible in the order of their numbers. */
export async function advanceProgress(
  executor: Executor,
  graph: number,
  space: number,
  vectors: readonly TextVector[],
): Promise<void> {
  for (const [parity, source] of textSources.entries()) {
    const rows = vectors.filter(({ document }) => document % 2 === parity).map(({ document }) => document);
    if (rows.length === 0) continue;
    await executor.run(
      'delete from embedding_progress where graph = ? and space = ? and source = ? and upto < ?',
      [graph, space, source, Math.floor(Math.max(...rows) / 2)],
    );
    await executor.run(
      `insert into embedding_progress (graph, space, source, upto) values (?, ?, ?, ?)
        on conflict (graph, space, source) do nothing`,
      [graph, space, source, Math.floor(Math.max(...rows) / 2)],
    );
  }
}

/** Drops the vectors of a graph outside the spaces to keep; inside a write transaction. */
export async function forgetVectors(
  executor: Executor,
  graph: number,
  keep: readonly number[],
): Promise<void> {
  const others = keep.length === 0 ? '' : `and space not in (${keep.map(() => '?').join(', ')})`;
  for (const table of ['text_vector', 'embedding_progress']) {
    await executor.run(`delete from ${table} where graph = ? ${others}`, [graph, ...keep]);
  }
}

/** Drops the vectors of rows; inside a write transaction. */
export async function forgetVectorsOf(
  executor: Executor,
  dialect: Dialect,
  graph: number,
  table: VersionedTable,
  rows: readonly number[],
): Promise<void> {
  if (table === 'edge_row' || rows.length === 0) return;
  const odd = table === 'observation_row' ? 1 : 0;
  const list = dialect.inList(
    'document',
    'integer',
    rows.map((row) => row * 2 + odd),
  );
  await executor.run(`delete from text_vector where graph = ? and ${list.sql}`, [graph, ...list.params]);
}

/** The same for rows whose text has changed: the search for texts without a vector starts before them again. */
export async function embedAgain(
  executor: Executor,
  dialect: Dialect,
  graph: number,
  table: VersionedTable,
  rows: readonly number[],
): Promise<void> {
  if (table === 'edge_row' || rows.length === 0) return;
  await forgetVectorsOf(executor, dialect, graph, table, rows);
  const before = rows.reduce((least, row) => Math.min(least, row)) - 1;
  await executor.run('update embedding_progress set upto = ? where graph = ? and source = ? and upto > ?', [
    ...[before, graph],
    ...[table, before],
  ]);
}

/** Numbers as they lie in memory, four bytes each, lowest first. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

export function vectorOf(row: SqlRow): Float32Array {
  const value = row['vector'];
  if (!(value instanceof Uint8Array)) throw new TypeError('Column vector holds no bytes.');
  // Copied, since the bytes of a driver need not start where numbers may.
  return new Float32Array(Uint8Array.from(value).buffer);
}

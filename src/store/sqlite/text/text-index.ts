import type { Executor, SqlRow } from '../../sql/executor.js';
import type { VersionedTable } from '../../sql/lineage.js';
import { nodeTextColumns, nodeTextFromRow } from '../../sql/node-text-from-row.js';
import { readNumber, readText, selectNumber } from '../../sql/rows.js';
import { raw, sql } from '../../sql/sql.js';
import { stems } from '../../text/words.js';

/**
 * Two full-text tables over the rows that hold text: trigrams for substrings, stems for ranked search. They hold no
 * text, only which document has what; a document never changes, since a row never does, and stays until the row goes.
 *
 * Rows are indexed some time after they are written, many at once, because merging the index one row at a time is what
 * makes writing slow as a graph grows. `text_progress` says how far the index is; rows beyond it are looked at directly.
 */
export const createTextIndex: readonly string[] = [
  `create virtual table text_trigrams using fts5 (
    text, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1')`,
  `create virtual table text_stems using fts5 (
    text, content = '', columnsize = 0, detail = none, tokenize = 'ascii')`,
  'create table text_progress (source text primary key, upto integer not null) without rowid',
  "insert into text_progress (source, upto) values ('node_row', 0), ('observation_row', 0)",
];

/** The document of a row: even numbers are nodes, odd ones observations. */
const documentIds = { node_row: 'r.row * 2', observation_row: 'r.row * 2 + 1' } as const;

const indexColumns = ['rowid', 'text'];

/** A stem as the index holds it: marked with its graph, so that graphs do not weigh on each other, and plain ASCII. */
export function stemToken(graph: number, stem: string): string {
  return `${graph}x${/^[a-z0-9]+$/.test(stem) ? stem : `x${Buffer.from(stem).toString('hex')}`}`;
}

/** Indexes up to `limit` rows of each kind that are not indexed yet, inside a write transaction; answers how many. */
export async function indexPending(executor: Executor, limit: number): Promise<number> {
  const nodes = await pendingRows(executor, 'node_row', limit);
  const observations = await pendingRows(executor, 'observation_row', limit);
  const documents = [
    ...nodes.map((row) => toIndexDocument('node_row', row)),
    ...observations.map((row) => toIndexDocument('observation_row', row)),
  ];
  addDocuments(executor, documents);
  advanceTextProgress(executor, 'node_row', nodes);
  advanceTextProgress(executor, 'observation_row', observations);
  return documents.length;
}

/** Takes the documents of rows out of the index, as far as they are in it; the rows must still be there. */
export async function forgetText(
  executor: Executor,
  table: VersionedTable,
  rows: readonly number[],
): Promise<void> {
  const documents = await indexedDocuments(executor, table, rows);
  // The index holds no text, so it must be told again what it was given.
  executor.insert(
    'text_trigrams',
    ['text_trigrams', 'rowid', 'text'],
    documents.map(({ id, trigrams }) => ['delete', id, trigrams]),
  );
  executor.insert(
    'text_stems',
    ['text_stems', 'rowid', 'text'],
    documents.map(({ id, stems: words }) => ['delete', id, words]),
  );
}

/** Puts the documents of rows back whose text was changed; those the index has not reached yet wait their turn. */
export async function rememberText(
  executor: Executor,
  table: VersionedTable,
  rows: readonly number[],
): Promise<void> {
  addDocuments(executor, await indexedDocuments(executor, table, rows));
}

/** Writes the index anew, so that it holds no trace of what was taken out of it. */
export function optimizeTextIndex(executor: Executor): void {
  for (const table of ['text_trigrams', 'text_stems']) {
    executor.run(sql`insert into ${raw(table)} (${raw(table)}) values ('optimize')`);
  }
}

async function indexedDocuments(
  executor: Executor,
  table: VersionedTable,
  rows: readonly number[],
): Promise<IndexDocument[]> {
  if (table === 'edge_row') return [];
  const found = await executor.all(
    sql`select r.row, ${raw(documentIds[table])} as document, r.graph, ${raw(contentColumns[table])} from ${raw(table)} r
      where r.row in (select value from json_each(${rows}))
        and r.row <= (select upto from text_progress where source = '${raw(table)}')`,
  );
  return found.map((row) => toIndexDocument(table, row));
}

function addDocuments(executor: Executor, documents: readonly IndexDocument[]): void {
  executor.insert(
    'text_trigrams',
    indexColumns,
    documents.map(({ id, trigrams }) => [id, trigrams]),
  );
  executor.insert(
    'text_stems',
    indexColumns,
    documents.map(({ id, stems: words }) => [id, words]),
  );
}

/**
 * Removes some text rows of a deleted graph, and their documents; answers whether there were any. Row numbers may be given again, so the index must not seem to be
 * beyond the rows that are left.
 */
export async function removeTextRows(executor: Executor, graph: number, limit: number): Promise<boolean> {
  for (const source of ['observation_row', 'node_row'] as const) {
    const rows = await executor.all(
      sql`select r.row from ${raw(source)} r where r.graph = ${graph} limit ${limit}`,
    );
    if (rows.length === 0) continue;
    const numbers = rows.map((row) => readNumber(row, 'row'));
    await forgetText(executor, source, numbers);
    executor.run(sql`delete from ${raw(source)} where row in (select value from json_each(${numbers}))`);
    executor.run(
      sql`update text_progress set upto = min(upto, coalesce((select max(row) from ${raw(source)}), 0)) where source = ${source}`,
    );
    return true;
  }
  return false;
}

/** About how many rows wait to be indexed. */
export function pendingCount(executor: Executor): Promise<number> {
  const waiting = indexedTables.map(
    (source) =>
      `coalesce((select max(row) from ${source}), 0) - (select upto from text_progress where source = '${source}')`,
  );
  return selectNumber(executor, sql`select ${raw(waiting.join(' + '))} as n`);
}

type IndexedTable = keyof typeof documentIds;
const indexedTables: readonly IndexedTable[] = ['node_row', 'observation_row'];

/** What a document is made of. */
const contentColumns: Readonly<Record<IndexedTable, string>> = {
  node_row: nodeTextColumns,
  observation_row: 'r.text',
};

/** What the index holds of a row. */
interface IndexDocument {
  readonly id: number;
  readonly trigrams: string;
  readonly stems: string;
}

function toIndexDocument(source: IndexedTable, row: SqlRow): IndexDocument {
  const content = source === 'node_row' ? nodeTextFromRow(row) : readText(row, 'text');
  const graph = readNumber(row, 'graph');
  return {
    id: readNumber(row, 'document'),
    trigrams: content.toLowerCase(),
    stems: stems(content)
      .map((stem) => stemToken(graph, stem))
      .join(' '),
  };
}

function pendingRows(executor: Executor, source: IndexedTable, limit: number): Promise<SqlRow[]> {
  return executor.all(
    sql`select r.row, ${raw(documentIds[source])} as document, r.graph, ${raw(contentColumns[source])} from ${raw(source)} r
      where r.row > (select upto from text_progress where source = '${raw(source)}') order by r.row limit ${limit}`,
  );
}

function advanceTextProgress(executor: Executor, source: IndexedTable, indexed: readonly SqlRow[]): void {
  const last = indexed.at(-1);
  if (last === undefined) return;
  executor.run(sql`update text_progress set upto = ${readNumber(last, 'row')} where source = ${source}`);
}

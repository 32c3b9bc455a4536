import { writeInChunks } from '../../../bounds/chunks.js';
import type { Executor, SqlRow } from '../../sql/executor.js';
import type { VersionedTable } from '../../sql/lineage.js';
import { nodeTextColumns, nodeTextFromRow } from '../../sql/node-text-from-row.js';
import { readNumber, readText, selectNumber } from '../../sql/rows.js';
import { raw, sql } from '../../sql/sql.js';
import { stems } from '../../text/words.js';

/**
 * Two full-text tables over the rows that hold text: trigrams for substrings, stems for ranked search. They do not store
 * the text. A document never changes, since a row never does, and is removed with its row.
 *
 * Rows are indexed in batches some time after they are written, because merging the index one row at a time makes writes
 * slow as a graph grows. `text_progress` says how far the index is; searches scan the rows beyond it.
 */
export const createTextIndex: readonly string[] = [
  `create virtual table text_trigrams using fts5 (
    text, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1')`,
  `create virtual table text_stems using fts5 (
    text, content = '', columnsize = 0, detail = none, tokenize = 'ascii')`,
  'create table text_progress (source text primary key, upto integer not null) without rowid',
  "insert into text_progress (source, upto) values ('node_row', 0), ('observation_row', 0)",
];

const indexContents = [
  ['text_trigrams', 'trigrams'],
  ['text_stems', 'stems'],
] as const;

/** SQLite would merge segments in bursts of 100 ms while a transaction commits; the indexer has it done in portions. */
export const mergeInPortions: readonly string[] = indexContents.map(
  ([table]) => `insert into ${table} (${table}, rank) values ('automerge', 0)`,
);

/** The document of a row: even numbers are nodes, odd ones observations. */
const documentIds = { node_row: 'r.row * 2', observation_row: 'r.row * 2 + 1' } as const;

const indexColumns = ['rowid', 'text'];

/** Written by one step of merging: few enough that others hardly wait. */
export const pagesPerMerge = 16;

/** Marked with the graph, so that graphs do not affect each other, and plain ASCII. */
export function stemToken(graph: number, stem: string): string {
  return `${graph}x${/^[a-z0-9]+$/.test(stem) ? stem : `x${Buffer.from(stem).toString('hex')}`}`;
}

/** Indexes up to `limit` pending rows of each table, inside a write transaction; returns how many. */
export async function indexPending(executor: Executor, limit: number): Promise<number> {
  let indexed = 0;
  for (const table of indexedTables) {
    const rows = await executor.all(
      sql`select r.row, ${raw(documentIds[table])} as document, r.graph, ${raw(contentColumns[table])} from ${raw(table)} r
        where r.row > (select upto from text_progress where source = '${raw(table)}') order by r.row limit ${limit}`,
    );
    const last = rows.at(-1);
    if (last === undefined) continue;
    addDocuments(
      executor,
      rows.map((row) => toIndexDocument(table, row)),
    );
    executor.run(sql`update text_progress set upto = ${readNumber(last, 'row')} where source = ${table}`);
    indexed += rows.length;
  }
  return indexed;
}

/** Merges segments of the index, writing about `pages` pages for each of its tables; returns whether there was anything to merge. */
export async function mergeSegments(executor: Executor, pages: number): Promise<boolean> {
  const before = await totalChanges(executor);
  for (const [table] of indexContents) {
    executor.run(sql`insert into ${raw(table)} (${raw(table)}, rank) values ('merge', ${pages})`);
  }
  // The statement itself counts as one change.
  return (await totalChanges(executor)) - before > indexContents.length;
}

async function totalChanges(executor: Executor): Promise<number> {
  const [row] = await executor.all(sql`select total_changes() as n`);
  return row === undefined ? 0 : readNumber(row, 'n');
}

/** Removes the documents of rows from the index, as far as they are in it; the rows must still exist. */
export function removeFromTextIndex(
  executor: Executor,
  table: VersionedTable,
  rows: readonly number[],
): Promise<void> {
  return writeInChunks(rows, (some) => removeDocuments(executor, table, some));
}

/**
 * A removal adds to the index until it is merged with the document, so it pays its share of the merging: otherwise SQLite
 * merges at once what has piled up, while a transaction commits.
 */
async function removeDocuments(
  executor: Executor,
  table: VersionedTable,
  rows: readonly number[],
): Promise<void> {
  const documents = await indexedDocuments(executor, table, rows);
  if (documents.length === 0) return;
  for (const [table, content] of indexContents) {
    // The index does not store the text, so deleting a document takes its text again.
    const rows = documents.map((document) => ['delete', document.id, document[content]]);
    executor.insert(table, [table, 'rowid', 'text'], rows);
  }
  await mergeSegments(executor, pagesPerMerge);
}

/** Adds rows whose text was changed back to the index, as far as it has reached them. */
export async function addToTextIndex(
  executor: Executor,
  table: VersionedTable,
  rows: readonly number[],
): Promise<void> {
  addDocuments(executor, await indexedDocuments(executor, table, rows));
}

/**
 * Has the connection read anew which segments there are. A search does so by itself, but SQLite's own check does not, and
 * takes segments that another connection has merged for damage.
 */
export async function refreshTextIndex(executor: Executor): Promise<void> {
  for (const [table] of indexContents)
    await executor.all(sql`select rowid from ${raw(table)} where ${raw(table)} match 'any' limit 1`);
}

/** Rewrites the index, so that no trace of removed documents is left. */
export function optimizeTextIndex(executor: Executor): void {
  for (const [table] of indexContents)
    executor.run(sql`insert into ${raw(table)} (${raw(table)}) values ('optimize')`);
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
  for (const [table, content] of indexContents) {
    const rows = documents.map((document) => [document.id, document[content]]);
    executor.insert(table, indexColumns, rows);
  }
}

/**
 * Removes some text rows of a deleted graph with their documents; returns whether there were any. Row numbers may be
 * reused, so `text_progress` must not be beyond the rows that are left.
 */
export async function removeTextRows(executor: Executor, graph: number, limit: number): Promise<boolean> {
  for (const source of ['observation_row', 'node_row'] as const) {
    const rows = await executor.all(
      sql`select r.row from ${raw(source)} r where r.graph = ${graph} limit ${limit}`,
    );
    if (rows.length === 0) continue;
    const numbers = rows.map((row) => readNumber(row, 'row'));
    await removeFromTextIndex(executor, source, numbers);
    executor.run(sql`delete from ${raw(source)} where row in (select value from json_each(${numbers}))`);
    executor.run(
      sql`update text_progress set upto = min(upto, coalesce((select max(row) from ${raw(source)}), 0)) where source = ${source}`,
    );
    return true;
  }
  return false;
}

/** About how many rows are not indexed yet. */
export function pendingCount(executor: Executor): Promise<number> {
  const waiting = indexedTables.map(
    (source) =>
      `coalesce((select max(row) from ${source}), 0) - (select upto from text_progress where source = '${source}')`,
  );
  return selectNumber(executor, sql`select ${raw(waiting.join(' + '))} as n`);
}

type IndexedTable = keyof typeof documentIds;
const indexedTables: readonly IndexedTable[] = ['node_row', 'observation_row'];

const contentColumns: Readonly<Record<IndexedTable, string>> = {
  node_row: nodeTextColumns,
  observation_row: 'r.text',
};

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

import type { Executor, SqlRow } from '../sql/executor.js';
import { integer, optionalText, readProps, readProvenance, text } from '../sql/rows.js';
import { nodeText } from '../text/node-text.js';
import { stems } from '../text/words.js';

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
export const documentOf = { node_row: 'r.row * 2', observation_row: 'r.row * 2 + 1' } as const;

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
    ...nodes.map((row) => ({ row, content: textOfNode(row) })),
    ...observations.map((row) => ({ row, content: text(row, 'text') })),
  ].map(({ row, content }) => ({ id: integer(row, 'document'), graph: integer(row, 'graph'), content }));
  await executor.insert(
    'text_trigrams',
    indexColumns,
    documents.map(({ id, content }) => [id, trigramText(content)]),
  );
  await executor.insert(
    'text_stems',
    indexColumns,
    documents.map(({ id, graph, content }) => [id, stemText(graph, content)]),
  );
  await advance(executor, 'node_row', nodes);
  await advance(executor, 'observation_row', observations);
  return documents.length;
}

/**
 * Removes some text rows of a deleted graph, and their documents; answers whether there were any. An index without text
 * forgets a document only if it is told what was in it. Row numbers may be given again, so the index must not seem to be
 * beyond the rows that are left.
 */
export async function removeTextRows(executor: Executor, graph: number, limit: number): Promise<boolean> {
  for (const source of ['observation_row', 'node_row'] as const) {
    const rows = await executor.all(
      `select r.row, ${documentOf[source]} as document, ${contentColumns[source]},
        r.row <= (select upto from text_progress where source = '${source}') as indexed
        from ${source} r where r.graph = ? limit ?`,
      [graph, limit],
    );
    if (rows.length === 0) continue;
    const indexed = rows.filter((row) => row['indexed'] === 1);
    const documents = indexed.map((row) => ({
      id: integer(row, 'document'),
      content: source === 'node_row' ? textOfNode(row) : text(row, 'text'),
    }));
    await forget(
      executor,
      'text_trigrams',
      documents.map(({ id, content }) => [id, trigramText(content)]),
    );
    await forget(
      executor,
      'text_stems',
      documents.map(({ id, content }) => [id, stemText(graph, content)]),
    );
    await executor.run(`delete from ${source} where row in (select value from json_each(?))`, [
      rows.map((row) => integer(row, 'row')),
    ]);
    await executor.run(
      `update text_progress set upto = min(upto, coalesce((select max(row) from ${source}), 0)) where source = ?`,
      [source],
    );
    return true;
  }
  return false;
}

function forget(
  executor: Executor,
  index: 'text_trigrams' | 'text_stems',
  documents: readonly (readonly [id: number, content: string])[],
): Promise<void> {
  return executor.insert(
    index,
    [index, 'rowid', 'text'],
    documents.map(([id, content]) => ['delete', id, content]),
  );
}

/** About how many rows wait to be indexed. */
export async function pendingCount(executor: Executor): Promise<number> {
  const waiting = sourceNames.map(
    (source) =>
      `coalesce((select max(row) from ${source}), 0) - (select upto from text_progress where source = '${source}')`,
  );
  const [row] = await executor.all(`select ${waiting.join(' + ')} as n`);
  return row === undefined ? 0 : integer(row, 'n');
}

/** The columns that the text of a node is made of. */
export const nodeTextColumns = 'r.name, r.type, r.summary, r.props, r.provenance';

export function textOfNode(row: SqlRow): string {
  return nodeText({
    name: text(row, 'name'),
    type: text(row, 'type'),
    summary: optionalText(row, 'summary'),
    props: readProps(row),
    provenance: readProvenance(row),
  });
}

type Source = keyof typeof documentOf;
const sourceNames: readonly Source[] = ['node_row', 'observation_row'];

/** What a document is made of. */
const contentColumns: Readonly<Record<Source, string>> = {
  node_row: nodeTextColumns,
  observation_row: 'r.text',
};

function trigramText(content: string): string {
  return content.toLowerCase();
}

function stemText(graph: number, content: string): string {
  return stems(content)
    .map((stem) => stemToken(graph, stem))
    .join(' ');
}

function pendingRows(executor: Executor, source: Source, limit: number): Promise<SqlRow[]> {
  return executor.all(
    `select r.row, ${documentOf[source]} as document, r.graph, ${contentColumns[source]} from ${source} r
      where r.row > (select upto from text_progress where source = '${source}') order by r.row limit ?`,
    [limit],
  );
}

async function advance(executor: Executor, source: Source, indexed: readonly SqlRow[]): Promise<void> {
  const last = indexed.at(-1);
  if (last === undefined) return;
  await executor.run('update text_progress set upto = ? where source = ?', [integer(last, 'row'), source]);
}

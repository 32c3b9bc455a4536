import type { NodeHits } from '../../read-results.js';
import type { TextSearch } from '../../sql/dialect.js';
import type { Executor, Fragment } from '../../sql/executor.js';
import { type Lineage, visible } from '../../sql/lineage.js';
import { nodeTextColumns, nodeTextFromRow } from '../../sql/node-text-from-row.js';
import { readNumber, readText, selectNumber } from '../../sql/rows.js';
import { joinSql, raw, sql } from '../../sql/sql.js';
import { rareTrigrams } from '../../text/trigrams.js';
import { cachedStems } from '../../text/words.js';
import { defineQueryFunctions } from '../query-functions.js';
import type { SqliteConnection } from '../sqlite-connection.js';
import { stemToken } from './text-index.js';

/** A third trigram seldom narrows the result further, and a common one costs more than verifying does. */
const maxTrigrams = 2;

/** Defines the JavaScript that SQL calls on rows the index does not cover. */
export function defineTextFunctions(connection: SqliteConnection): void {
  defineQueryFunctions(connection);
  connection.defineFunction('text_contains', (text, needle) =>
    toFlag(String(text).toLowerCase().includes(String(needle))),
  );
  connection.defineFunction('text_has_stems', (text, match, wanted) => {
    const found = cachedStems(String(text));
    const stems = String(wanted).split(' ');
    const has = (stem: string) => found.includes(stem);
    return toFlag(match === 'any' ? stems.some(has) : stems.every(has));
  });
  connection.defineFunction(
    'node_text',
    (name = null, type = null, summary = null, props = null, provenance = null) =>
      nodeTextFromRow({ name, type, summary, props, provenance }),
  );
}

/** Candidates come from the index and from rows that are not indexed yet; see text-index.ts. */
export const sqliteTextSearch: TextSearch = {
  nodesContaining(executor, lineage, needle, limit) {
    const match = rareTrigrams(needle, maxTrigrams).map(quote).join(' AND ');
    return match === ''
      ? nodesFound(executor, scans(lineage, needle, false), limit)
      : nodesFound(executor, [...scans(lineage, needle, true), lookUp(lineage, needle, match)], limit);
  },

  async countTextsByStem(executor, { graph }, words) {
    if (words.length === 0) return new Map();
    const pending = await pendingStems(executor, graph);
    const texts = new Map<string, number>();
    for (const stem of new Set(words)) {
      const indexed = await selectNumber(
        executor,
        sql`select count(*) as n from text_stems where text_stems match ${quote(stemToken(graph, stem))}`,
      );
      const beyond = pending.reduce((sum, found) => sum + (found.has(stem) ? 1 : 0), 0);
      texts.set(stem, indexed + beyond);
    }
    return texts;
  },

  rowsWithStems(executor, lineage, { table, columns, stems: words, match, where, limit }) {
    const { content, parity } = searchSources[table];
    const seen = visible(table, 'r', lineage);
    const operator = match === 'any' ? ' OR ' : ' AND ';
    const wanted = words.map((stem) => quote(stemToken(lineage.graph, stem))).join(operator);
    return executor.all(
      sql`select ${raw(columns)} from ${raw(table)} r not indexed where ${raw(notIndexed(table, 'r'))} ${seen}
          and ${where} and text_has_stems(${raw(content)}, ${match}, ${words.join(' ')})
        union all
        select ${raw(columns)} from (select rowid as document from text_stems where text_stems match ${wanted}) h
          cross join ${raw(table)} r on r.row = h.document >> 1
          where (h.document & 1) = ${raw(parity)} and ${seen} and ${where}
        limit ${limit}`,
    );
  },
};

/** More rows are pending only after an import; the statistics can ignore the rest. */
const maxPendingCounted = 500;

/** The stems of each text that is not indexed yet. */
async function pendingStems(executor: Executor, graph: number): Promise<ReadonlySet<string>[]> {
  const found: ReadonlySet<string>[] = [];
  for (const { source, alias, content } of sources) {
    const rows = await executor.all(
      sql`select ${raw(content)} as text from ${raw(source)} ${raw(alias)} not indexed
        where ${raw(notIndexed(source, alias))} ${raw(alias)}.graph = ${graph} limit ${maxPendingCounted}`,
    );
    for (const row of rows) found.push(new Set(cachedStems(readText(row, 'text'))));
  }
  return found;
}

/** A node has several texts, so a limit on nodes allows this many times as many texts. */
const textsPerNode = 3;

async function nodesFound(
  executor: Executor,
  parts: readonly Fragment[],
  limit: number | undefined,
): Promise<NodeHits> {
  // Not a parameter, since SQLite plans a statement again each time its limit is bound.
  const tail = raw(limit === undefined ? '' : `limit ${limit * textsPerNode}`);
  const rows = await executor.all(sql`${joinSql(parts, ' union all ')} ${tail}`, { searches: true });
  return {
    nodes: [...new Set(rows.map((row) => readNumber(row, 'node')))],
    truncated: limit !== undefined && rows.length === limit * textsPerNode,
  };
}

function notIndexed(source: SearchSource['source'], alias: string): string {
  return `${alias}.row > (select upto from text_progress where source = '${source}') and`;
}

/** Scans the text of rows: of all, or of those that are not indexed yet. */
function scans(lineage: Lineage, needle: string, isIndexed: boolean): Fragment[] {
  return sources.map((origin) => {
    const { source, alias, real } = origin;
    const seen = visible(source, alias, lineage);
    // Without "not indexed" the planner walks the whole branch instead of the few newest rows.
    const from = isIndexed ? `not indexed where ${notIndexed(source, alias)}` : 'where';
    const select = raw(`select ${alias}.node from ${source} ${alias} ${from}`);
    return sql`${select} ${seen} ${raw(real)} and ${containsTest(origin, needle)}`;
  });
}

/**
 * Whether a text contains the needle, as JavaScript lower-cases. Calling JavaScript for each row is slow, and only texts
 * beyond ASCII need it: SQL rules out the others first.
 */
function containsTest({ plain, rendered, content }: SearchSource, needle: string): Fragment {
  const beyondAscii = `octet_length(${plain}) <> length(${plain})`;
  return sql`(instr(lower(${raw(plain)}), ${needle}) > 0 or ${raw(rendered)} or ${raw(beyondAscii)}) and text_contains(${raw(content)}, ${needle})`;
}

/** Looks up the nodes of the documents that the index finds. */
function lookUp(lineage: Lineage, needle: string, match: string): Fragment {
  const joins = sources.map((origin) => {
    const { source, alias, real, parity } = origin;
    const seen = visible(source, alias, lineage);
    return sql`left join ${raw(source)} ${raw(alias)} on ${raw(alias)}.row = iif((h.document & 1) = ${raw(parity)}, h.document >> 1, null)
        and ${seen} ${raw(real)} and ${containsTest(origin, needle)}`;
  });
  return sql`select coalesce(r.node, o.node) as node
      from (select rowid as document from text_trigrams where text_trigrams match ${match}) h
      ${joinSql(joins, ' ')} where r.node is not null or o.node is not null`;
}

interface SearchSource {
  readonly source: 'node_row' | 'observation_row';
  /** Of the row in the other fields. */
  readonly alias: string;
  readonly real: string;
  readonly parity: 0 | 1;
  readonly content: string;
  /** The same without JavaScript, unless `rendered` is true of the row. */
  readonly plain: string;
  readonly rendered: string;
}

const nodeSource: SearchSource = {
  source: 'node_row',
  alias: 'r',
  real: 'and r.stub = 0',
  parity: 0,
  content: `node_text(${nodeTextColumns})`,
  plain: "(r.name || char(10) || r.type || char(10) || coalesce(r.summary, ''))",
  rendered: 'r.props is not null',
};
const observationSource = (alias: string): SearchSource => ({
  ...{ source: 'observation_row', alias, real: '', parity: 1 },
  ...{ content: `${alias}.text`, plain: `${alias}.text`, rendered: 'false' },
});
const searchSources = { node_row: nodeSource, observation_row: observationSource('r') };
const sources = [nodeSource, observationSource('o')];

function quote(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

function toFlag(value: boolean): number {
  return value ? 1 : 0;
}

import type { NodeHits } from '../read-results.js';
import type { TextSearch } from '../sql/dialect.js';
import type { Executor, Fragment, SqlParam } from '../sql/executor.js';
import { type Lineage, visible } from '../sql/lineage.js';
import { readNumber, readText } from '../sql/rows.js';
import { emptySql, joinSql, raw, sql } from '../sql/sql.js';
import { commonStemThreshold } from '../sql/word-statistics-cache.js';
import { stems } from '../text/words.js';

/** The lower-cased text for substrings, and its stems. */
export function searchDocument(graph: number, text: string): readonly SqlParam[] {
  return [text.toLowerCase(), [...new Set(stems(text))].map((stem) => stemToken(graph, stem))];
}

/** A node has several texts, so a limit on nodes allows this many times as many texts. */
const textsPerNode = 3;

export const postgresTextSearch: TextSearch = {
  nodesContaining: (executor, lineage, needle, limit) =>
    nodesWhere(executor, lineage, sql`r.document like ${likePattern(needle)}`, limit),

  async countTextsByStem(executor, { graph }, words) {
    const distinct = [...new Set(words)];
    if (distinct.length === 0) return new Map();
    const tokens = distinct.map((stem) => stemToken(graph, stem));
    const counts = await countMeasured(executor, tokens);
    const rest = tokens.filter((token) => !counts.has(token));
    for (const [token, n] of await countUpTo(executor, graph, rest)) counts.set(token, n);
    return new Map(distinct.map((stem) => [stem, counts.get(stemToken(graph, stem)) ?? 0]));
  },

  rowsWithStems(executor, lineage, { table, columns, stems: words, match, where, limit }) {
    const seen = visible(table, 'r', lineage);
    return executor.all(
      sql`select ${raw(columns)} from ${raw(table)} r
        where r.stems ${raw(match === 'any' ? '&&' : '@>')} ${words.map((stem) => stemToken(lineage.graph, stem))}::text[] and (${seen}) and ${where} limit ${limit}`,
    );
  },
};

/** Common stems, from the planner's statistics, since counting reads every row. A distributed table has none here. */
async function countMeasured(executor: Executor, tokens: readonly string[]): Promise<Map<string, number>> {
  const rows = await executor.all(
    sql`select f.token, sum(c.reltuples * f.frequency)::bigint as n from pg_stats s
      join pg_class c on c.oid = format('%I.%I', s.schemaname, s.tablename)::regclass,
      unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) f (token, frequency)
      where s.schemaname = current_schema() and s.tablename in ('node_row', 'observation_row') and s.attname = 'stems'
        and f.token = any(${tokens}::text[])
      group by f.token having sum(c.reltuples * f.frequency) >= ${commonStemThreshold}`,
  );
  return new Map(rows.map((row) => [readText(row, 'token'), readNumber(row, 'n')]));
}

/** Counts texts with each stem, up to where it would be common. */
async function countUpTo(
  executor: Executor,
  graph: number,
  tokens: readonly string[],
): Promise<Map<string, number>> {
  if (tokens.length === 0) return new Map();
  const texts = ['node_row', 'observation_row'].map(
    (table) =>
      sql`(select 1 from ${raw(table)} r where r.graph = ${graph} and r.stems @> array[t.token] limit ${commonStemThreshold})`,
  );
  const rows = await executor.all(
    sql`select t.token, (select count(*) from (${joinSql(texts, ' union all ')}) counted) as n
      from unnest(${tokens}::text[]) t (token)`,
  );
  return new Map(rows.map((row) => [readText(row, 'token'), readNumber(row, 'n')]));
}

async function nodesWhere(
  executor: Executor,
  lineage: Lineage,
  test: Fragment,
  limit: number | undefined,
): Promise<NodeHits> {
  const parts = (['node_row', 'observation_row'] as const).map((table) => {
    const seen = visible(table, 'r', lineage);
    const real = table === 'node_row' ? 'and r.stub = 0' : '';
    return sql`select r.node from ${raw(table)} r where ${seen} ${raw(real)} and ${test}`;
  });
  const tail = limit === undefined ? emptySql : sql`limit ${limit * textsPerNode}`;
  const rows = await executor.all(sql`${joinSql(parts, ' union all ')} ${tail}`);
  return {
    nodes: [...new Set(rows.map((row) => readNumber(row, 'node')))],
    truncated: limit !== undefined && rows.length === limit * textsPerNode,
  };
}

/** Marked with the graph, so that graphs do not affect each other. */
function stemToken(graph: number, stem: string): string {
  return `${graph}:${stem}`;
}

function likePattern(needle: string): string {
  return `%${needle.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

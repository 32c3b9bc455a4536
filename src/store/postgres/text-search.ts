import type { NodeHits } from '../answers.js';
import type { TextSearch } from '../sql/dialect.js';
import type { Executor, Fragment, SqlParam } from '../sql/executor.js';
import { type Lineage, visible } from '../sql/lineage.js';
import { integer } from '../sql/rows.js';
import { stems } from '../text/words.js';

/** What a row's text is searched by: the text lower-cased as JavaScript does, and its stems marked with the graph. */
export function documentOf(graph: number, text: string): readonly SqlParam[] {
  return [text.toLowerCase(), [...new Set(stems(text))].map((stem) => stemToken(graph, stem))];
}

/** A node has several texts, so a limit on nodes allows this many times as many texts. */
const textsPerNode = 3;

/** Looks into the indexes on the rows themselves; see migrations.ts. */
export const postgresText: TextSearch = {
  nodesContaining: (executor, lineage, needle, limit) =>
    nodesWhere(executor, lineage, { sql: 'r.document like ?', params: [likePattern(needle)] }, limit),

  async textsWithStems(executor, { graph }, words) {
    const distinct = [...new Set(words)];
    const counted = await Promise.all(
      distinct.map((stem) => countTexts(executor, stemToken(graph, stem), mostCounted)),
    );
    return new Map(distinct.map((stem, index) => [stem, counted[index] ?? 0]));
  },

  rowsWithStems(executor, lineage, { table, columns, stems: words, where, limit }) {
    const seen = visible(table, 'r', lineage);
    return executor.all(
      `select ${columns} from ${table} r where r.stems @> ?::text[] and (${seen.sql}) and ${where.sql} limit ?`,
      [words.map((stem) => stemToken(lineage.graph, stem)), ...seen.params, ...where.params, limit],
    );
  },
};

/** How far the texts with a stem are counted: one that more have is common, and PostgreSQL's own estimate will do. */
const mostCounted = 5_000;

async function countTexts(executor: Executor, token: string, most: number): Promise<number> {
  const tables = ['node_row', 'observation_row'];
  const parts = tables.map((table) => `(select 1 from ${table} r where r.stems @> ?::text[] limit ?)`);
  const [row] = await executor.all(`select count(*) as n from (${parts.join(' union all ')}) t`, [
    ...[[token], most],
    ...[[token], most],
  ]);
  const counted = row === undefined ? 0 : integer(row, 'n');
  return counted < most ? counted : Math.max(counted, await estimateTexts(executor, token));
}

/** How many texts have a common stem, as PostgreSQL last measured it. */
async function estimateTexts(executor: Executor, token: string): Promise<number> {
  const [row] = await executor.all(
    `select coalesce(sum(c.reltuples * f.frequency), 0)::bigint as n from pg_stats s
      join pg_class c on c.oid = format('%I.%I', s.schemaname, s.tablename)::regclass,
      unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) f (token, frequency)
      where s.schemaname = current_schema() and s.tablename in ('node_row', 'observation_row') and s.attname = 'stems'
        and f.token = ?`,
    [token],
  );
  return row === undefined ? 0 : integer(row, 'n');
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
    return {
      sql: `select r.node from ${table} r where ${seen.sql} ${real} and ${test.sql}`,
      params: [...seen.params, ...test.params],
    };
  });
  const rows = await executor.all(
    `${parts.map((part) => part.sql).join(' union all ')} ${limit === undefined ? '' : 'limit ?'}`,
    [...parts.flatMap((part) => part.params), ...(limit === undefined ? [] : [limit * textsPerNode])],
  );
  return {
    nodes: [...new Set(rows.map((row) => integer(row, 'node')))],
    truncated: limit !== undefined && rows.length === limit * textsPerNode,
  };
}

/** Graphs do not share stems, so that none weighs on another. */
function stemToken(graph: number, stem: string): string {
  return `${graph}:${stem}`;
}

function likePattern(needle: string): string {
  return `%${needle.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

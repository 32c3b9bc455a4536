import type { NodeHits, WordHits } from '../contract.js';
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

  async nodesWithWords(executor, lineage, { stems: words, limit, ofTypes }) {
    const hits: WordHits[] = [];
    for (const stem of new Set(words)) {
      const test = {
        sql: `r.stems @> ?::text[] ${ofTypes === undefined ? '' : `and ${ofTypes.sql}`}`,
        params: [[stemToken(lineage.graph, stem)], ...(ofTypes?.params ?? [])],
      };
      hits.push({ stem, ...(await nodesWhere(executor, lineage, test, limit)) });
    }
    return hits.sort((a, b) => a.nodes.length - b.nodes.length);
  },
};

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

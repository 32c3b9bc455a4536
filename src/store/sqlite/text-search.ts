import type { NodeId } from '../../model/node.js';
import type { WordHits } from '../contract.js';
import type { TextSearch } from '../sql/dialect.js';
import type { Executor, Fragment, SqlValue } from '../sql/executor.js';
import { type Lineage, visible } from '../sql/lineage.js';
import { integer } from '../sql/rows.js';
import { nodeText } from '../text/node-text.js';
import { trigrams } from '../text/trigrams.js';
import { stems } from '../text/words.js';
import type { Connection } from './connection.js';
import { stemToken } from './text-index.js';

/** More trigrams than this make a look-up slower without making it sharper. */
const usedTrigrams = 12;

/** The JavaScript that SQL calls on rows the index does not cover. */
export function defineTextFunctions(connection: Connection): void {
  connection.define('text_contains', (text, needle) =>
    flag(String(text).toLowerCase().includes(String(needle))),
  );
  connection.define('text_has_stem', (text, stem) => flag(stems(String(text)).includes(String(stem))));
  connection.define('node_text', (name, type, summary, props) =>
    nodeText(String(name), String(type), textOrNull(summary), textOrNull(props)),
  );
}

/** Candidates come from the index and from the rows it has not reached; see text-index.ts. */
export const sqliteText: TextSearch = {
  async nodesContaining(executor, lineage, needle) {
    const wanted = trigrams(needle, usedTrigrams).map(quote).join(' AND ');
    const test = { sql: 'text_contains($text, ?)', params: [needle] };
    return nodesWith(executor, lineage, 'text_trigrams', wanted, test, undefined);
  },

  async nodesWithWords(executor, lineage, words, limit) {
    const hits: WordHits[] = [];
    for (const stem of new Set(words)) {
      const test = { sql: 'text_has_stem($text, ?)', params: [stem] };
      const match = quote(stemToken(lineage.graph, stem));
      const found = await nodesWith(executor, lineage, 'text_stems', match, test, limit + 1);
      hits.push({ stem, nodes: found.slice(0, limit), truncated: found.length > limit });
    }
    return hits.sort((a, b) => a.nodes.length - b.nodes.length);
  },
};

/** Real nodes with a document that matches in the index, or a row beyond the index that passes the test. */
async function nodesWith(
  executor: Executor,
  lineage: Lineage,
  index: 'text_trigrams' | 'text_stems',
  match: string,
  test: Fragment,
  limit: number | undefined,
): Promise<NodeId[]> {
  const parts: Fragment[] = [];
  for (const source of ['node_row', 'observation_row'] as const) {
    const seen = visible(source, 'r', lineage);
    const real = source === 'node_row' ? ' and r.stub = 0' : '';
    const content = source === 'node_row' ? 'node_text(r.name, r.type, r.summary, r.props)' : 'r.text';
    // Without "not indexed" the planner walks the whole branch instead of the few newest rows.
    const [hint, beyond] =
      match === ''
        ? ['', '']
        : [' not indexed', ` and r.row > (select upto from text_progress where source = '${source}')`];
    parts.push({
      sql: `select r.node from ${source} r${hint} where ${seen.sql}${real}${beyond} and ${test.sql.replace('$text', content)}`,
      params: [...seen.params, ...test.params],
    });
    if (match !== '') {
      const parity = source === 'node_row' ? 0 : 1;
      parts.push({
        sql: `select r.node from ${index} f cross join ${source} r on r.row = f.rowid >> 1
          where f.${index} match ? and (f.rowid & 1) = ${parity} and ${seen.sql}${real}`,
        params: [match, ...seen.params],
      });
    }
  }
  const params: SqlValue[] = parts.flatMap((part) => part.params);
  const sql = parts.map((part) => part.sql).join(' union ');
  const rows = await executor.all(
    limit === undefined ? sql : `select node from (${sql}) limit ?`,
    limit === undefined ? params : [...params, limit],
  );
  return rows.map((row) => integer(row, 'node'));
}

function quote(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

function flag(value: boolean): number {
  return value ? 1 : 0;
}

function textOrNull(value: SqlValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

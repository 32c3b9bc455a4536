import type { Dialect } from '../sql/dialect.js';
import { integer } from '../sql/rows.js';
import { sqliteQuery } from './query-dialect.js';
import { forgetText, rememberText } from './text-index.js';
import { sqliteText } from './text-search.js';

const highest = {
  node: 'select coalesce(max(node), 0) as highest from identity where graph = ?',
  seq: 'select coalesce(max(seq), 0) as highest from commit_log where graph = ?',
};

/** How SQLite says what the databases say differently. */
export const sqliteDialect: Dialect = {
  // Whoever writes has the whole file to itself.
  lockBranch: '',
  keepBranch: '',
  holdBranch: '',

  inList: (expression, _type, values) =>
    // Most calls are about one thing, and taking a list apart costs more than looking that up.
    values.length === 1
      ? { sql: `${expression} = ?`, params: values }
      : { sql: `${expression} in (select value from json_each(?))`, params: [values] },

  inSelect: (expression, select) => ({ sql: `${expression} in (${select.sql})`, params: select.params }),

  tuples: (columns, tuples) => {
    const names = Object.keys(columns);
    const [only, ...others] = tuples;
    if (only !== undefined && others.length === 0)
      return { sql: `(select ${names.map((name) => `? as ${name}`).join(', ')})`, params: only };
    const values = names.map((name, index) => `value ->> ${index} as ${name}`);
    return { sql: `(select ${values.join(', ')} from json_each(?))`, params: [JSON.stringify(tuples)] };
  },

  // The writer is alone, and neither identities nor commits are ever deleted: the highest number tells the next.
  allocate: async (executor, graph, counter, count) => {
    const [row] = await executor.all(highest[counter], [graph]);
    const last = row === undefined ? 0 : integer(row, 'highest');
    return Array.from({ length: count }, (_, index) => last + 1 + index);
  },

  text: sqliteText,

  // The text index is a table of its own, filled later: see text-index.ts.
  documentColumns: [],
  document: () => [],
  forgetText,
  rememberText,
  position: 'instr',
  query: sqliteQuery,
};

import type { Dialect } from '../sql/dialect.js';
import { integer } from '../sql/rows.js';
import { forgetText, rememberText } from './text-index.js';
import { sqliteText } from './text-search.js';

/** How SQLite says what the databases say differently. */
export const sqliteDialect: Dialect = {
  // Whoever writes has the whole file to itself.
  lockBranch: '',

  inList: (expression, _type, values) => ({
    sql: `${expression} in (select value from json_each(?))`,
    params: [values],
  }),

  inSelect: (expression, select) => ({ sql: `${expression} in (${select.sql})`, params: select.params }),

  tuples: (columns, tuples) => {
    const values = Object.keys(columns).map((name, index) => `value ->> ${index} as ${name}`);
    return { sql: `(select ${values.join(', ')} from json_each(?))`, params: [JSON.stringify(tuples)] };
  },

  // The writer is alone, and neither identities nor commits are ever deleted: the highest number tells the next.
  allocate: async (executor, graph, counter, count) => {
    const [column, table] = counter === 'node' ? ['node', 'identity'] : ['seq', 'commit_log'];
    const [row] = await executor.all(
      `select coalesce(max(${column}), 0) as highest from ${table} where graph = ?`,
      [graph],
    );
    const highest = row === undefined ? 0 : integer(row, 'highest');
    return Array.from({ length: count }, (_, index) => highest + 1 + index);
  },

  text: sqliteText,

  // The text index is a table of its own, filled later: see text-index.ts.
  documentColumns: [],
  document: () => [],
  forgetText,
  rememberText,
  position: 'instr',
};

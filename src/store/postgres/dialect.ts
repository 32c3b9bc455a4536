import type { ColumnType, Dialect } from '../sql/dialect.js';
import { integer } from '../sql/rows.js';
import { namesByHash } from './name-hash.js';
import { postgresQuery } from './query-dialect.js';
import { documentOf, postgresText } from './text-search.js';

const types: Readonly<Record<ColumnType, string>> = { integer: 'bigint', text: 'text' };

/** How PostgreSQL says what the databases say differently. */
export const postgresDialect: Dialect = {
  lockBranch: 'for no key update of b',
  keepBranch: 'for key share of b',
  holdBranch: 'for update of b',

  inList: (expression, type, values) => ({
    sql: `${expression} = any(?::${types[type]}[])`,
    params: [values],
  }),

  // As `in (select …)`, the planner may turn it round and run it for every row of the graph.
  inSelect: (expression, select) => ({
    sql: `${expression} = any(array(${select.sql}))`,
    params: select.params,
  }),

  tuples: (columns, tuples) => {
    const names = Object.keys(columns);
    const lists = Object.values(columns).map((type) => `?::${types[type]}[]`);
    return {
      sql: `(select * from unnest(${lists.join(', ')}) as u (${names.join(', ')}))`,
      params: names.map((_, index) => tuples.map((tuple) => tuple[index] ?? null)),
    };
  },

  // Sequences leave gaps where a transaction fails, and make nobody wait.
  numberColumns: '',
  numbers: (executor) => ({
    take: async (counter, count) => {
      const rows = await executor.all(
        `select nextval('${counter === 'node' ? 'node_id' : 'commit_seq'}') as next from generate_series(1, ?)`,
        [count],
      );
      return rows.map((row) => integer(row, 'next'));
    },
  }),

  names: namesByHash,
  text: postgresText,
  documentColumns: ['document', 'stems'],
  document: documentOf,
  // It is part of the row.
  forgetText: async () => {},
  rememberText: async () => {},
  position: 'strpos',
  asked: '',
  query: postgresQuery,
};

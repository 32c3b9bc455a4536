import type { ColumnType, Dialect } from '../sql/dialect.js';
import { readNumber } from '../sql/rows.js';
import { joinSql, raw, sql } from '../sql/sql.js';
import { hashedNameIndex } from './name-hash.js';
import { postgresQueryDialect } from './postgres-query-dialect.js';
import { postgresTextSearch, searchDocument } from './postgres-text-search.js';

const sqlTypes: Readonly<Record<ColumnType, string>> = { integer: 'bigint', text: 'text' };

export const postgresDialect: Dialect = {
  lockForWrite: 'for no key update of b',
  lockAgainstDelete: 'for key share of b',
  lockExclusively: 'for update of b',

  inList: (expression, type, values) => sql`${raw(expression)} = any(${values}::${raw(sqlTypes[type])}[])`,

  // For `in (select …)` the planner may run the subquery for every row of the graph.
  inSelect: (expression, select) => sql`${raw(expression)} = any(array(${select}))`,

  tuples: (columns, tuples) => {
    const lists = Object.values(columns).map((type, index) => {
      const values = tuples.map((tuple) => tuple[index] ?? null);
      return sql`${values}::${raw(sqlTypes[type])}[]`;
    });
    return sql`(select * from unnest(${joinSql(lists, ', ')}) as u (${raw(Object.keys(columns).join(', '))}))`;
  },

  // Sequences leave gaps where a transaction fails, but nobody has to wait.
  sequenceColumns: '',
  sequences: (executor) => ({
    take: async (counter, count) => {
      const rows = await executor.all(
        sql`select nextval('${raw(counter === 'node' ? 'node_id' : 'commit_seq')}') as next from generate_series(1, ${count})`,
      );
      return rows.map((row) => readNumber(row, 'next'));
    },
  }),

  names: hashedNameIndex,
  textSearch: postgresTextSearch,
  documentColumns: ['document', 'stems'],
  documentValues: searchDocument,
  // It is part of the row.
  removeFromTextIndex: async () => {},
  addToTextIndex: async () => {},
  positionFunction: 'strpos',
  existsSuffix: '',
  queryDialect: postgresQueryDialect,
};

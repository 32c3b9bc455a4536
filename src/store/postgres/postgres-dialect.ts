import type { ColumnType, Dialect } from '../sql/dialect.js';
import { joinSql, raw, sql } from '../sql/sql.js';
import { hashedNameIndex } from './name-hash.js';
import { NumbersAhead } from './numbers-ahead.js';
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

  numberedRows: (graph) => sql`graph = ${graph}`,

  // Sequences leave gaps where numbers stay unused, but nobody has to wait.
  sequenceColumns: '',
  sequences: (executor, _, writes) => new NumbersAhead(executor, writes),

  names: hashedNameIndex,
  textSearch: postgresTextSearch,
  insertMissing: (executor, table, columns, rows) => {
    const [target, names] = [raw(table), raw(Object.keys(columns).join(', '))];
    const tuples = postgresDialect.tuples(columns, rows);
    executor.run(
      sql`insert into ${target} (${names}) select ${names} from ${tuples} t where true on conflict do nothing`,
    );
  },
  insertedRows: () => undefined,
  documentColumns: ['document', 'stems'],
  documentValues: searchDocument,
  // It is part of the row.
  removeFromTextIndex: async () => {},
  addToTextIndex: async () => {},
  positionFunction: 'strpos',
  existsSuffix: '',
  queryDialect: postgresQueryDialect,
};

import type { Dialect } from '../sql/dialect.js';
import { readNumber, selectNumber } from '../sql/rows.js';
import { joinSql, raw, sql } from '../sql/sql.js';
import { sqliteQueryDialect } from './sqlite-query-dialect.js';
import { sqliteTextSearch } from './text/sqlite-text-search.js';
import { addToTextIndex, removeFromTextIndex } from './text/text-index.js';

const inList: Dialect['inList'] = (expression, _type, values) =>
  // Most lists have one value, and `json_each` costs more than looking that up.
  values.length === 1
    ? sql`${raw(expression)} = ${values[0] ?? null}`
    : sql`${raw(expression)} in (select value from json_each(${values}))`;

export const sqliteDialect: Dialect = {
  // A writer locks the whole file.
  lockForWrite: '',
  lockAgainstDelete: '',
  lockExclusively: '',

  inList,

  inSelect: (expression, select) => sql`${raw(expression)} in (${select})`,

  tuples: (columns, tuples) => {
    const names = Object.keys(columns);
    const [only, ...others] = tuples;
    if (only !== undefined && others.length === 0)
      return sql`(select ${joinSql(
        names.map((name, index) => sql`${only[index] ?? null} as ${raw(name)}`),
        ', ',
      )})`;
    // A list of plain values is read faster than one of lists.
    if (names.length === 1)
      return sql`(select value as ${raw(names.join())} from json_each(${JSON.stringify(tuples.flat())}))`;
    const values = names.map((name, index) => `value ->> ${index} as ${name}`);
    return sql`(select ${raw(values.join(', '))} from json_each(${JSON.stringify(tuples)}))`;
  },

  numberedRows: () => sql`true`,

  // There is one writer, and identities and commits are never deleted: the highest number gives the next.
  sequenceColumns: `, (select coalesce(max(i.node), 0) from identity i where i.graph = b.graph) as last_node,
    (select coalesce(max(c.seq), 0) from commit_log c where c.graph = b.graph) as last_seq`,
  sequences: (_, branch) => {
    const last = { node: readNumber(branch, 'last_node'), seq: readNumber(branch, 'last_seq') };
    return { take: (counter, count) => Array.from({ length: count }, () => ++last[counter]) };
  },

  // One by one: reading them from JSON would take longer than inserting them.
  insertMissing: (executor, table, columns, rows) =>
    executor.insert(table, Object.keys(columns), rows, { missing: true }),

  // There is one writer, so the rows of an insert are numbered one after the other.
  insertedRows: async (executor, count) => {
    const last = await selectNumber(executor, sql`select last_insert_rowid() as n`);
    return Array.from({ length: count }, (_, index) => last - count + 1 + index);
  },

  names: {
    key: ['graph', 'name', 'type'],
    columns: [],
    values: () => [],
    matchesAny: (names) => inList('i.name', 'text', names),
  },
  textSearch: sqliteTextSearch,

  // The text index is a table of its own, filled later: see text-index.ts.
  documentColumns: [],
  documentValues: () => [],
  removeFromTextIndex,
  addToTextIndex,
  positionFunction: 'instr',
  // SQLite 3.53.0 omits rows on branches without this (3.53.4 does not), presumably when it makes joins of them.
  existsSuffix: ' is true',
  queryDialect: sqliteQueryDialect,
};

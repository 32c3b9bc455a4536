import { TrellisError } from '../../model/error.js';
import type { Dialect } from '../sql/dialect.js';
import { integer } from '../sql/rows.js';
import { sqliteText } from './text-search.js';

/** How SQLite says what the databases say differently. */
export const sqliteDialect: Dialect = {
  inList: (expression, _type, values) => ({
    sql: `${expression} in (select value from json_each(?))`,
    params: [JSON.stringify(values)],
  }),

  tuples: (columns, tuples) => {
    const values = Object.keys(columns).map((name, index) => `value ->> ${index} as ${name}`);
    return { sql: `(select ${values.join(', ')} from json_each(?))`, params: [JSON.stringify(tuples)] };
  },

  allocate: async (executor, counter, count) => {
    const [row] = await executor.all('update counter set value = value + ? where name = ? returning value', [
      count,
      counter,
    ]);
    if (row === undefined) throw new TrellisError('STORE_CORRUPT', `The counter ${counter} is missing.`);
    return integer(row, 'value') - count + 1;
  },

  text: sqliteText,
};

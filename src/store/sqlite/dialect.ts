import type { Dialect } from '../sql/dialect.js';
import { integer } from '../sql/rows.js';
import { sqliteQuery } from './query-dialect.js';
import { forgetText, rememberText } from './text/text-index.js';
import { sqliteText } from './text/text-search.js';

const inList: Dialect['inList'] = (expression, _type, values) =>
  // Most calls are about one thing, and taking a list apart costs more than looking that up.
  values.length === 1
    ? { sql: `${expression} = ?`, params: values }
    : { sql: `${expression} in (select value from json_each(?))`, params: [values] };

/** How SQLite says what the databases say differently. */
export const sqliteDialect: Dialect = {
  // Whoever writes has the whole file to itself.
  lockBranch: '',
  keepBranch: '',
  holdBranch: '',

  inList,

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
  numberColumns: `, (select coalesce(max(i.node), 0) from identity i where i.graph = g.id) as last_node,
    (select coalesce(max(c.seq), 0) from commit_log c where c.graph = g.id) as last_seq`,
  numbers: (_, branch) => {
    const last = { node: integer(branch, 'last_node'), seq: integer(branch, 'last_seq') };
    return { take: (counter, count) => Array.from({ length: count }, () => ++last[counter]) };
  },

  names: {
    key: ['graph', 'name', 'type'],
    columns: [],
    values: () => [],
    isOneOf: (names) => inList('i.name', 'text', names),
  },
  text: sqliteText,

  // The text index is a table of its own, filled later: see text-index.ts.
  documentColumns: [],
  document: () => [],
  forgetText,
  rememberText,
  position: 'instr',
  // SQLite 3.53.0 leaves rows out on branches without it, and 3.53.4 does not; presumably when it makes joins of them.
  asked: ' is true',
  query: sqliteQuery,
};

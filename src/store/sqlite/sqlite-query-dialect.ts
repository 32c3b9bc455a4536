import type { Json } from '../../model/json.js';
import type { Fragment, SqlParam } from '../sql/executor.js';
import { integerOf, padInteger } from '../sql/query/comparable.js';
import { exactNumberText } from '../sql/query/exact-number.js';
import type { QueryFragment } from '../sql/query/parameter-slots.js';
import type { JsonSource, QueryDialect } from '../sql/query/query-dialect.js';
import { and, or, param, raw, sql } from '../sql/sql.js';
import { requiredSubstrings } from '../text/required-substrings.js';
import { listedNodeBits, maxListedNode } from './traversal/edge-lists.js';

/** Names that need no quotes in a JSON path; JavaScript finds members with other names. */
const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

function jsonDocument<P>(json: Fragment<P>): JsonSource<P | SqlParam> {
  return { value: json, json, scalar: sql`(${json} ->> '$')`, kind: sql`json_type(${json})` };
}

/** Digits beyond 64 bits become the next float. */
function summable(digits: QueryFragment): QueryFragment {
  return sql`(case when cast(${digits} as integer) = 9223372036854775807 and ${digits} <> '9223372036854775807'
    then cast(${digits} as real) else cast(${digits} as integer) end)`;
}

/** SQLite's JSON parser reads every number, so that equal numbers are equal. */
function numberParam(value: Json): Fragment {
  return Number.isSafeInteger(value)
    ? param(Number(value))
    : sql`json_extract(${JSON.stringify(Number(value))}, '$')`;
}

function integerDigits(value: Json): string {
  return String(integerOf(value) ?? 'null');
}

/** Computed once per row, however often it is used. */
function mayHave(json: QueryFragment, runs: readonly (readonly string[])[]): QueryFragment {
  const found = runs.map((list) => or(list.map((run) => sql`instr(l.text, ${run}) > 0`)));
  return sql`(with l as materialized (select lower(${json}) as text)
    select octet_length(l.text) <> length(l.text) or (${and(found)}) from l)`;
}

/** How SQLite looks into the JSON of rows; what it cannot do by itself is in query-functions.ts. */
export const sqliteQueryDialect: QueryDialect = {
  byCodePoint: '',
  optimizationFence: '',
  unknown: 'null',

  member(column, name) {
    if (!plainName.test(name)) return jsonDocument(sql`json_member(${raw(column)}, ${name})`);
    const path = param(`$.${name}`);
    const json = sql`(${raw(column)} -> ${path})`;
    return {
      value: json,
      json,
      scalar: sql`(${raw(column)} ->> ${path})`,
      kind: sql`json_type(${raw(column)}, ${path})`,
    };
  },

  document: jsonDocument,

  // `json_quote` of null would be the JSON null.
  quoted: (text) => sql`(case when ${text} is not null then json_quote(${text}) end)`,

  members: (list, alias) =>
    sql`json_each(case when ${list.kind} = 'array' then ${list.json} end) ${raw(alias)}`,

  listMember: (alias) => ({
    value: raw(`${alias}.value`),
    json: raw(`(case when ${alias}.type in ('true', 'false', 'null') then ${alias}.type
      when ${alias}.type in ('array', 'object') then ${alias}.value else json_quote(${alias}.value) end)`),
    scalar: raw(`${alias}.atom`),
    kind: raw(`${alias}.type`),
  }),

  isList: ({ kind }) => sql`${kind} = 'array'`,

  rank: ({ kind }) =>
    sql`(case ${kind} when 'true' then 0 when 'false' then 0 when 'integer' then 1 when 'real' then 1
      when 'text' then 2 when 'array' then 3 when 'object' then 3 end)`,

  key({ json, scalar, kind }, comparable, known) {
    switch (comparable) {
      case 'text':
        return known ? scalar : sql`(case when ${kind} = 'text' then ${scalar} end)`;
      case 'boolean':
        return sql`(case ${kind} when 'true' then 1 when 'false' then 0 end)`;
      case 'i64':
        return sql`cast(${scalar} as integer)`;
      case 'u64':
        return sql`substr('00000000000000000000' || ${scalar}, -20)`;
      case 'number':
        return known ? scalar : sql`(case when ${kind} in ('integer', 'real') then ${scalar} end)`;
      case 'numeric':
        return sql`exact_number(${json}, ${raw(known ? '1' : '0')})`;
      default:
        return json;
    }
  },

  summand({ scalar, kind }, comparable, known) {
    if (comparable === 'number') return scalar;
    return known
      ? sql`(case when ${kind} = 'text' then ${summable(scalar)} else ${scalar} end)`
      : sql`(case when ${kind} in ('integer', 'real') then ${scalar} end)`;
  },

  truth: (condition) => sql`(${condition})`,
  // As digits: JSON numbers hold fewer of them.
  exactNumber: (key, comparable) =>
    comparable === 'number'
      ? sql`exact_number(json_quote(${key}), 1)`
      : sql`exact_number(json_quote(cast(${key} as text)), 1)`,

  constant(value, comparable) {
    switch (comparable) {
      case 'boolean':
        return param(value === true ? 1 : 0);
      case 'i64':
        return sql`cast(${integerDigits(value)} as integer)`;
      case 'u64':
        return param(padInteger(integerOf(value) ?? 0n));
      case 'number':
        return numberParam(value);
      case 'numeric':
        return param(exactNumberText(value));
      case 'text':
        return param(String(value));
      default:
        return param(JSON.stringify(value));
    }
  },

  isOneOf(key, comparable, values) {
    const list = (members: readonly string[], how = 'value') =>
      sql`${key} in (select ${raw(how)} from json_each(${`[${members.join(',')}]`}))`;
    switch (comparable) {
      case 'boolean':
        return list(values.map((value) => (value === true ? '1' : '0')));
      case 'i64':
        return list(
          values.map((value) => `"${integerDigits(value)}"`),
          'cast(value as integer)',
        );
      case 'u64':
        return list(values.map((value) => `"${padInteger(integerOf(value) ?? 0n)}"`));
      case 'number':
        return list(values.map((value) => JSON.stringify(Number(value))));
      case 'numeric':
        return list(values.map((value) => JSON.stringify(exactNumberText(value))));
      default:
        return list(values.map((value) => JSON.stringify(value)));
    }
  },

  sumComparable: 'number',
  // Integers in two halves, since a float does not hold every one of them, and they may cancel each other out.
  sum: (key, areLarge) =>
    areLarge
      ? sql`(case when count(${key}) > 0 then
          total(case when typeof(${key}) = 'integer' then ${key} >> 32 end) * 4294967296.0
          + total(case when typeof(${key}) = 'integer' then ${key} & 4294967295 end)
          + total(case when typeof(${key}) <> 'integer' then ${key} end) end)`
      : sql`sum(cast(${key} as real))`,

  readable: (key, comparable) => {
    switch (comparable) {
      case 'number':
        return sql`cast(${key} as real)`;
      case 'i64':
        return sql`cast(${key} as text)`;
      default:
        return key;
    }
  },

  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  startsWith: (text, start) => sql`substr(${text}, 1, length(${start})) = ${start}`,
  textList: (select) => sql`(select json_group_array(t.text) from (${select}) t)`,
  textCondition(json, condition) {
    const { kind, text, edits } = condition;
    const test = sql`text_test(${json}, ${kind}, ${text}, ${edits})`;
    const runs = requiredSubstrings(condition);
    // Calling JavaScript for a row takes several times as long as this test.
    return runs.length === 0
      ? test
      : sql`(case ${mayHave(json, runs)} when 0 then 0 when 1 then ${test} end)`;
  },
  mayContain: mayHave,
  reachedNodes: (edges, near, { direction, min, max }, alias) =>
    sql`json_each(edges_reached(${edges}, ${raw(near)}, ${direction}, ${min}, ${max})) ${raw(alias)}`,
  edgeCounts: (edges, direction, nodes, alias) => ({
    item: sql`json_each(edge_counts(${edges}, ${direction}, ${nodes})) ${raw(alias)}`,
    node: raw(`(${alias}.value & ${maxListedNode})`),
    count: raw(`(${alias}.value >> ${listedNodeBits})`),
  }),
  // A select of its own is run once, not for every row.
  edgesLieWithin: (edges, direction, nodes) =>
    sql`(select edges_lie_within(${edges}, ${direction}, ${nodes}))`,
  cosineDistance: ({ json }, vector) => sql`cosine_distance(${json}, ${JSON.stringify(vector)})`,
  begin: () => {},
  end: () => {},
  isTimeout: () => false,
};

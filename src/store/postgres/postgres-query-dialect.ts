import type { Json } from '../../model/json.js';
import { isUsableComponent, vectorComponentRange } from '../cosine-distance.js';
import type { Fragment, SqlParam } from '../sql/executor.js';
import { type Comparable, integerOf } from '../sql/query/comparable.js';
import type { QueryFragment } from '../sql/query/parameter-slots.js';
import type { JsonSource, QueryDialect } from '../sql/query/query-dialect.js';
import { and, emptySql, or, raw, sql } from '../sql/sql.js';
import { postgresErrorCode } from './postgres-errors.js';

function jsonSource<P>(value: Fragment<P>): JsonSource<P | SqlParam> {
  return {
    value,
    json: sql`(${value})::text`,
    scalar: sql`(${value} #>> '{}')`,
    kind: sql`json_typeof(${value})`,
  };
}

const minComponent = raw(String(vectorComponentRange.least));
const maxComponent = raw(String(vectorComponentRange.most));

/** All digits of an integer, which JavaScript does not print. */
function exactDigits(value: Json): string {
  return String(integerOf(value) ?? value);
}

const sqlTypes: Readonly<Record<Comparable, string>> = {
  text: 'text',
  boolean: 'int',
  number: 'float8',
  i64: 'numeric',
  u64: 'numeric',
  numeric: 'numeric',
  list: 'text',
  any: 'text',
};

function parameterFor(value: Json, comparable: Comparable): string | number {
  switch (comparable) {
    case 'text':
      return String(value);
    case 'boolean':
      return value === true ? 1 : 0;
    case 'number':
    case 'i64':
    case 'u64':
    case 'numeric':
      return exactDigits(value);
    default:
      return JSON.stringify(value);
  }
}

/** A number by its digits; a string of digits is an integer if the schema guarantees it. */
function numericKey(
  scalar: QueryFragment,
  kind: QueryFragment,
  known: boolean,
  number: QueryFragment,
): QueryFragment {
  const digits = known
    ? sql` when ${kind} = 'string' and ${scalar} ~ '^-{0,1}[0-9]{1,20}$' then ${scalar}::numeric`
    : emptySql;
  return sql`(case when ${kind} = 'number' then ${number}${digits} end)`;
}

/**
 * The float that a number of JSON is: beyond 2^53 its digits are only the fewest that tell it from other floats. Beyond the
 * integers of 64 bits that does not matter, since it is only compared with those.
 */
function exactNumeric(scalar: QueryFragment): QueryFragment {
  return sql`(select case
      when abs(x.f) < 9007199254740992 then x.digits::numeric
      when x.f >= -9223372036854775808::float8 and x.f < 9223372036854775808::float8 then x.f::int8::numeric
      when x.f >= 0 and x.f < 18446744073709551616::float8
        then (x.f - 9223372036854775808::float8)::int8::numeric + 9223372036854775808
      else x.digits::numeric end
    from (select s.digits, s.digits::float8 as f from (select ${scalar} as digits offset 0) s offset 0) x)`;
}

const maxFloat = '1.7976931348623157e308';

export const postgresQueryDialect: QueryDialect = {
  byCodePoint: ' collate "C"',
  optimizationFence: ' offset 0',
  // Not a constant: of a condition known to be false, Citus no longer sees which graph its tables are asked for.
  unknown: '(select null::boolean)',

  member: (column, name) => ({
    ...jsonSource(sql`(${raw(column)}::json -> ${name}::text)`),
    scalar: sql`(${raw(column)}::json ->> ${name}::text)`,
  }),
  document: (text) => jsonSource(sql`(${text})::json`),
  quoted: (text) => sql`to_json(${text})::text`,
  members: (list, alias) =>
    sql`json_array_elements(case when ${list.kind} = 'array' then ${list.value} else '[]'::json end) as ${raw(alias)} (value)`,
  listMember: (alias) => jsonSource(raw(`${alias}.value`)),
  isList: ({ kind }) => sql`${kind} = 'array'`,

  rank: ({ kind }) =>
    sql`(case ${kind} when 'boolean' then 0 when 'number' then 1 when 'string' then 2
      when 'array' then 3 when 'object' then 3 end)`,

  key({ json, scalar, kind }, comparable, known) {
    switch (comparable) {
      case 'text':
        return known
          ? sql`(${scalar} collate "C")`
          : sql`((case when ${kind} = 'string' then ${scalar} end) collate "C")`;
      case 'boolean':
        return sql`(case when ${kind} = 'boolean' then (case ${scalar} when 'true' then 1 else 0 end) end)`;
      case 'number':
        return sql`(case when ${kind} = 'number' then ${scalar}::float8 end)`;
      case 'i64':
      case 'u64':
        return numericKey(scalar, kind, known, sql`${scalar}::numeric`);
      case 'numeric':
        return numericKey(scalar, kind, known, exactNumeric(scalar));
      default:
        return sql`(${json} collate "C")`;
    }
  },

  summand({ scalar, kind }, comparable, known) {
    // Asking for the kind would parse the JSON once more.
    if (known) return sql`${scalar}::${raw(sqlTypes[comparable])}`;
    return numericKey(scalar, kind, known, sql`${scalar}::numeric`);
  },

  truth: (condition) => sql`(${condition})::int`,
  exactNumber: (key, comparable) => (comparable === 'number' ? exactNumeric(sql`(${key})::text`) : key),

  constant: (value, comparable) =>
    comparable === 'text'
      ? sql`(${String(value)}::text collate "C")`
      : sql`${parameterFor(value, comparable)}::${raw(sqlTypes[comparable])}`,

  isOneOf: (key, comparable, values) =>
    sql`${key} = any(${values.map((value) => parameterFor(value, comparable))}::${raw(sqlTypes[comparable])}[])`,

  sumComparable: 'numeric',
  sum: (key) => sql`(case when abs(sum(${key})) <= ${raw(maxFloat)}::numeric then sum(${key})::float8 end)`,

  readable: (key, comparable) =>
    comparable === 'i64' || comparable === 'u64' || comparable === 'numeric' ? sql`(${key})::text` : key,

  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  startsWith: (text, start) => sql`starts_with(${text}, ${start})`,
  // Without spaces, as JavaScript writes it.
  textList: (select) =>
    sql`(select '[' || coalesce(string_agg(to_json(t.text)::text, ','), '') || ']' from (${select}) t)`,
  // JavaScript splits texts into words.
  textCondition: () => null,
  // JavaScript normalizes other letters. Lower-casing must not depend on a language.
  mayContain(json, runs) {
    const found = runs.map((list) => or(list.map((run) => sql`strpos(l.text, ${run}) > 0`)));
    return sql`(select octet_length(l.text) <> length(l.text) or (${and(found)})
      from (select lower((${json}) collate "C") as text offset 0) l)`;
  },

  reachedNodes: null,
  edgeCounts: null,
  edgesLieWithin: null,
  cosineDistance: ({ kind, value }, vector) => {
    if (!vector.every(isUsableComponent)) return raw('null::float8');
    const lengths = sql`json_array_length(${value}) = ${vector.length}`;
    // `offset 0` makes each number be read once; what is not a usable number is null.
    const numbers = sql`array(select case when n.f = 0 or abs(n.f) between ${minComponent} and ${maxComponent} then n.f end
      from (select case when json_typeof(m) = 'number' then m::text::float8 end as f
        from json_array_elements(${value}) m offset 0) n)`;
    const sums = sql`(select case when count(x.a) = count(*)
        then 1 - sum(x.a * x.b) / nullif(sqrt(sum(x.a * x.a)) * sqrt(sum(x.b * x.b)), 0) end
      from unnest(${numbers}, ${vector}::float8[]) as x (a, b))`;
    return sql`(case when ${kind} = 'array' then case when ${lengths} then ${sums} end end)`;
  },

  begin(executor, timeLimitMs) {
    // The query planner of Trellis decides the join order.
    const time =
      timeLimitMs === undefined
        ? emptySql
        : sql`, set_config('statement_timeout', ${String(Math.ceil(timeLimitMs))}, true)`;
    executor.run(sql`select set_config('join_collapse_limit', '1', true)${time}`);
  },

  end(executor) {
    executor.run(sql`set local join_collapse_limit to default`);
    executor.run(sql`set local statement_timeout to default`);
  },

  isTimeout: (error) => postgresErrorCode(error) === '57014',
};

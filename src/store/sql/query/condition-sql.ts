import type { Json } from '../../../model/json.js';
import type {
  ComparisonOperator,
  Condition,
  Operand,
  PropertyOperand,
  TextCondition,
} from '../../row-query.js';
import { and, emptySql, or, raw, sql } from '../sql.js';
import { blockAggregateTerm } from './block-aggregate-sql.js';
import {
  type Comparable,
  commonComparable,
  comparableOfValue,
  fitsComparable,
  isNumericComparable,
} from './comparable.js';
import { comparisonKey, storedTerm, type Term, termJson } from './operand-sql.js';
import type { QueryFragment } from './parameter-slots.js';
import { operandSource, type SqlScope } from './sql-scope.js';

export function termOf(scope: SqlScope, operand: Operand): Term {
  switch (operand.kind) {
    case 'truth': {
      const key = scope.queryDialect.truth(conditionSql(scope, operand.condition));
      return { kind: 'computed', key, comparable: 'boolean' };
    }
    case 'block-aggregate':
      return blockAggregateTerm(scope, operand, operand.of && termOf(scope, operand.of));
    default:
      return storedTerm(scope, operand);
  }
}

/** SQL has true, false and unknown, just as queries do. */
export function conditionSql(scope: SqlScope, condition: Condition): QueryFragment {
  switch (condition.kind) {
    case 'and':
      return and(condition.conditions.map((each) => conditionSql(scope, each)));
    case 'or':
      return or(condition.conditions.map((each) => conditionSql(scope, each)));
    case 'not':
      return sql`not (${conditionSql(scope, condition.condition)})`;
    case 'exists':
      return condition.negated
        ? sql`not ${scope.blocks.exists(condition.block)}`
        : sql`${scope.blocks.exists(condition.block)}${raw(scope.dialect.existsSuffix)}`;
    case 'is-null':
      return sql`${termJson(scope, termOf(scope, condition.operand))} is ${raw(condition.negated ? 'not ' : '')}null`;
    case 'same': {
      const [left, right] = [scope.alias(condition.left), scope.alias(condition.right)];
      return raw(condition.of === 'node' ? `${left}.node = ${right}.node` : `${left}.row = ${right}.row`);
    }
    case 'compare':
      return compareSql(scope, condition.operator, condition.left, condition.right);
    case 'search':
    case 'match_text':
    case 'fuzzy':
      return textConditionSql(scope, condition);
  }
}

function compareSql(
  scope: SqlScope,
  operator: ComparisonOperator,
  left: Operand,
  right: Operand,
): QueryFragment {
  const [a, b] = [termOf(scope, left), termOf(scope, right)];
  if (isNullTerm(a) || isNullTerm(b)) return raw(scope.queryDialect.unknown);
  switch (operator) {
    case 'contains':
      return containsSql(scope, a, b);
    case 'in':
      return memberSql(scope, a, b);
    case 'starts_with':
      return scope.queryDialect.startsWith(comparisonKey(scope, a, 'text'), comparisonKey(scope, b, 'text'));
    default:
      return orderSql(scope, operator === '!=' ? '<>' : operator, a, b);
  }
}

function isNullTerm(term: Term): boolean {
  return term.kind === 'given' && term.value === null;
}

type SqlOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

function orderSql(scope: SqlScope, operator: SqlOperator, a: Term, b: Term): QueryFragment {
  const comparable = comparableFor(a, b);
  if (comparable === null) return raw(scope.queryDialect.unknown);
  if (comparable === 'any') return compareAnySql(scope, operator, a, b);
  if (comparable === 'list' && operator !== '=' && operator !== '<>') return raw(scope.queryDialect.unknown);
  return sql`${comparisonKey(scope, a, comparable)} ${raw(operator)} ${comparisonKey(scope, b, comparable)}`;
}

/** A given value is compared as the kind of the other side, if it fits that. */
function comparableFor(a: Term, b: Term): Comparable | null {
  if (a.kind === 'given' && b.kind !== 'given') return comparableFor(b, a);
  if (b.kind === 'given' && isNumericComparable(b.comparable)) {
    // Without a schema there are only JSON numbers.
    const met = a.comparable === 'any' ? 'number' : a.comparable;
    if (isNumericComparable(met)) return fitsComparable(b.value, met) ? met : 'numeric';
  }
  const comparable = commonComparable(a.comparable, b.comparable);
  const given = [a, b].flatMap((term) => (term.kind === 'given' ? [term.value] : []));
  return comparable !== null && given.every((value) => fitsComparable(value, comparable)) ? comparable : null;
}

/** The kinds are known only per row; values of different kinds are neither equal, unequal nor ordered. */
function compareAnySql(scope: SqlScope, operator: SqlOperator, a: Term, b: Term): QueryFragment {
  if (a.kind !== 'json' || b.kind !== 'json') return raw(scope.queryDialect.unknown);
  const rank = scope.queryDialect.rank(a.source);
  const as = (comparable: Comparable) =>
    sql`${comparisonKey(scope, a, comparable)} ${raw(operator)} ${comparisonKey(scope, b, comparable)}`;
  const whole = operator === '=' || operator === '<>' ? as('list') : raw(scope.queryDialect.unknown);
  return sql`(case when ${rank} = ${scope.queryDialect.rank(b.source)} then
    (case ${rank} when 0 then ${as('boolean')} when 1 then ${as('number')} when 2 then ${as('text')} else ${whole} end) end)`;
}

function containsSql(scope: SqlScope, a: Term, b: Term): QueryFragment {
  const substring = () =>
    scope.queryDialect.contains(comparisonKey(scope, a, 'text'), comparisonKey(scope, b, 'text'));
  if (a.comparable === 'text') return substring();
  if (a.kind !== 'json' || a.comparable !== 'any') return memberSql(scope, b, a);
  const isText = b.kind !== 'given' || typeof b.value === 'string';
  return isText
    ? sql`(case ${scope.queryDialect.rank(a.source)} when 2 then ${substring()} else ${memberSql(scope, b, a)} end)`
    : memberSql(scope, b, a);
}

/** Unknown if either is missing, or the list is not one. */
function memberSql(scope: SqlScope, item: Term, list: Term): QueryFragment {
  if (list.kind === 'text' || list.kind === 'computed') return raw(scope.queryDialect.unknown);
  if (list.kind === 'given') {
    return Array.isArray(list.value)
      ? amongSql(scope, item, list.value, list.members)
      : raw(scope.queryDialect.unknown);
  }
  const alias = scope.uniqueName('m');
  const member: Term = {
    kind: 'json',
    source: scope.queryDialect.listMember(alias),
    comparable: list.members,
    members: 'any',
  };
  const found = sql`exists (select 1 from ${scope.queryDialect.members(list.source, alias)} where ${orderSql(scope, '=', member, item)})`;
  const there = item.kind === 'given' ? emptySql : sql` and ${termJson(scope, item)} is not null`;
  return sql`(case when ${scope.queryDialect.isList(list.source)}${there} then ${found} end)`;
}

/** Whether a value is one of those given, which may be of several kinds. */
function amongSql(scope: SqlScope, item: Term, values: readonly Json[], members: Comparable): QueryFragment {
  const groups = new Map<Comparable, Json[]>();
  for (const value of values) {
    if (value === null) continue;
    const comparable = comparableFor(item, {
      kind: 'given',
      value,
      parameter: undefined,
      comparable: members === 'any' ? comparableOfValue(value, null) : members,
      members: 'any',
    });
    if (comparable === null) continue;
    const group = groups.get(comparable);
    if (group === undefined) groups.set(comparable, [value]);
    else group.push(value);
  }
  const found = [...groups].map(
    ([comparable, group]) =>
      sql`coalesce(${scope.queryDialect.isOneOf(comparisonKey(scope, item, comparable), comparable, group)}, false)`,
  );
  return sql`(case when ${termJson(scope, item)} is not null then ${or(found)} end)`;
}

export function searchedJson(scope: SqlScope, operand: PropertyOperand): QueryFragment {
  const place = operandSource(scope, operand);
  return place.kind === 'text'
    ? scope.queryDialect.quoted(place.text)
    : sql`nullif(${place.source.json}, 'null')`;
}

function textConditionSql(scope: SqlScope, condition: TextCondition): QueryFragment {
  const rows = scope.matches.texts.get(condition);
  const json = searchedJson(scope, condition.operand);
  if (rows === undefined) {
    const test = scope.queryDialect.textCondition(json, condition);
    if (test === null) throw new Error('The words were not looked for.');
    return sql`${test} = 1`;
  }
  const alias = scope.alias(condition.operand.variable);
  const list = scope.dialect.inList(`${alias}.row`, 'integer', rows);
  return sql`(case when ${json} is not null then ${list} end)`;
}

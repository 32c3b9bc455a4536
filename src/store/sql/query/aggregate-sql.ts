import type { ValueType } from '../../../model/value-type.js';
import type { AggregateFunction, Cell } from '../../row-query.js';
import type { SqlValue } from '../executor.js';
import { raw, sql } from '../sql.js';
import { type Comparable, cellFromKey } from './comparable.js';
import { comparisonKey, type Term, termJson } from './operand-sql.js';
import type { QueryFragment } from './parameter-slots.js';
import type { RowGroups, SqlScope } from './sql-scope.js';

export interface AggregateSql {
  readonly values: readonly QueryFragment[];
  readonly order: readonly QueryFragment[];
  cell(values: readonly SqlValue[]): Cell;
}

export type NameExpression = (expression: QueryFragment) => QueryFragment;

export interface AggregatedTerm {
  readonly term: Term;
  readonly type: ValueType | null;
}

/** `of` is null to count rows. */
export function aggregateSql(
  scope: SqlScope,
  fn: AggregateFunction,
  of: AggregatedTerm | null,
  ask: NameExpression,
): AggregateSql {
  if (of === null) return countAggregate(raw('count(*)'));
  const { term } = of;
  if (fn !== 'count' && term.kind === 'given' && term.value === null) return nullAggregate;
  switch (fn) {
    case 'count':
      return countAggregate(sql`count(${ask(termJson(scope, term))})`);
    case 'sum':
      return floatAggregate(
        scope.queryDialect.sum(ask(summedKey(scope, term, of.type)), mayExceedFloat(term)),
      );
    case 'avg': {
      const key = ask(summedKey(scope, term, of.type));
      return floatAggregate(sql`(${scope.queryDialect.sum(key, mayExceedFloat(term))} / count(${key}))`);
    }
    case 'min':
    case 'max':
      return minMaxAggregate(scope, fn, term, (key) => sql`${raw(fn)}(${ask(key)})`);
  }
}

/** The same where rows stand for several matches: combines what each of them has. */
export function aggregateOfGroups(
  scope: SqlScope,
  groups: RowGroups,
  fn: AggregateFunction,
  of: AggregatedTerm | null,
  ask: NameExpression,
): AggregateSql {
  const total = (count: QueryFragment) => sql`coalesce(sum(${ask(count)}), 0)`;
  if (of === null) return countAggregate(total(groups.count));
  const { term, type } = of;
  if (fn !== 'count' && term.kind === 'given' && term.value === null) return nullAggregate;
  if (fn === 'count') return countAggregate(total(groups.aggregate(sql`count(${termJson(scope, term)})`)));
  if (fn === 'min' || fn === 'max')
    return minMaxAggregate(
      scope,
      fn,
      term,
      (key) => sql`${raw(fn)}(${ask(groups.aggregate(sql`${raw(fn)}(${key})`))})`,
    );
  const key = summedKey(scope, term, type);
  const { sum } = scope.queryDialect;
  const all = sum(ask(groups.aggregate(sum(key, mayExceedFloat(term)))), false);
  return floatAggregate(fn === 'sum' ? all : sql`(${all} / ${total(groups.aggregate(sql`count(${key})`))})`);
}

const nullAggregate: AggregateSql = { values: [], order: [], cell: () => null };

function mayExceedFloat(term: Term): boolean {
  return term.kind !== 'json' || term.comparable !== 'number';
}

function summedKey(scope: SqlScope, term: Term, type: ValueType | null): QueryFragment {
  if (term.kind !== 'json') return comparisonKey(scope, term, scope.queryDialect.sumComparable);
  if (mayExceedFloat(term))
    return scope.queryDialect.summand(term.source, 'numeric', term.comparable !== 'any');
  const comparable = isSmallInteger(type) ? 'number' : scope.queryDialect.sumComparable;
  return scope.queryDialect.summand(term.source, comparable, true);
}

/** Floats hold every sum of these. */
export function isSmallInteger(type: ValueType | null): boolean {
  return type?.kind === 'scalar' && (type.scalar === 'I32' || type.scalar === 'U32');
}

function countAggregate(count: QueryFragment): AggregateSql {
  return { values: [count], order: [count], cell: ([value = null]) => Number(value) };
}

function floatAggregate(value: QueryFragment): AggregateSql {
  return { values: [value], order: [value], cell: ([cell = null]) => cellFromKey(cell, 'number') };
}

function minMaxAggregate(
  scope: SqlScope,
  fn: 'min' | 'max',
  term: Term,
  extreme: (key: QueryFragment) => QueryFragment,
): AggregateSql {
  if (term.kind === 'json' && term.comparable === 'any') return minMaxOfAny(scope, fn, term, extreme);
  const { comparable } = term;
  const key = extreme(comparisonKey(scope, term, comparable));
  return {
    values: [scope.queryDialect.readable(key, comparable)],
    order: [key],
    cell: ([value = null]) => cellFromKey(value, comparable),
  };
}

const comparablesInOrder: readonly Comparable[] = ['boolean', 'number', 'text'];

function minMaxOfAny(
  scope: SqlScope,
  fn: 'min' | 'max',
  term: Term,
  extreme: (key: QueryFragment) => QueryFragment,
): AggregateSql {
  const keys = comparablesInOrder.map((kind) => extreme(comparisonKey(scope, term, kind)));
  const [boolean = raw('null'), number = raw('null'), text = raw('null')] = keys;
  const first = fn === 'min' ? [boolean, number, text] : [text, number, boolean];
  const rank = sql`(case ${whenFirst(first, [boolean, number, text])} end)`;
  return {
    values: comparablesInOrder.map((kind, index) =>
      scope.queryDialect.readable(keys[index] ?? raw('null'), kind),
    ),
    order: [
      rank,
      sql`(case ${rank} when 0 then ${boolean} when 1 then ${number} end)`,
      sql`(case ${rank} when 2 then ${text} end)`,
    ],
    cell: (values) => {
      const cells = comparablesInOrder.map((kind, index) => cellFromKey(values[index] ?? null, kind));
      return (fn === 'min' ? cells : cells.reverse()).find((cell) => cell !== null) ?? null;
    },
  };
}

function whenFirst(first: readonly QueryFragment[], ranked: readonly QueryFragment[]): QueryFragment {
  return first
    .map((key) => sql`when ${key} is not null then ${raw(String(ranked.indexOf(key)))}`)
    .reduce((before, next) => sql`${before} ${next}`);
}

import type { ValueType } from '../../../model/value-type.js';
import type { Cell, Expression } from '../../row-query.js';
import type { Fragment, SqlValue } from '../executor.js';
import { type Comparable, cellOf } from './comparable.js';
import { jsonOf, keyOf, type Term, termOf } from './operands.js';
import type { Scope } from './scope.js';
import { raw, sql } from './sql.js';

type Aggregate = Extract<Expression, { kind: 'aggregate' }>;

/** An aggregate in SQL. */
export interface AggregateSql {
  readonly values: readonly Fragment[];
  readonly order: readonly Fragment[];
  cell(values: readonly SqlValue[]): Cell;
}

/** Gives what is asked of each row a name by which the aggregate can call it. */
export type Ask = (expression: Fragment) => Fragment;

export function aggregateSql(scope: Scope, { fn, of }: Aggregate, ask: Ask): AggregateSql {
  if (!('type' in of)) return counted(raw('count(*)'));
  const term = termOf(scope, of);
  if (fn !== 'count' && term.kind === 'given' && term.value === null) return nothing;
  switch (fn) {
    case 'count':
      return counted(sql`count(${ask(jsonOf(scope, term))})`);
    case 'sum':
      return float(scope.json.sum(ask(summedKey(scope, term, of.type)), areLarge(term)));
    case 'avg': {
      const key = ask(summedKey(scope, term, of.type));
      return float(sql`(${scope.json.sum(key, areLarge(term))} / count(${key}))`);
    }
    case 'min':
    case 'max':
      return extreme(scope, fn, term, ask);
  }
}

const nothing: AggregateSql = { values: [], order: [], cell: () => null };

/** Whether there may be integers that no float holds. */
function areLarge(term: Term): boolean {
  return term.kind !== 'json' || term.comparable !== 'number';
}

/** Small integers add up exactly as floats; of others the database says how it adds them best. */
function summedKey(scope: Scope, term: Term, type: ValueType | null): Fragment {
  if (term.kind !== 'json') return keyOf(scope, term, scope.json.summed);
  if (areLarge(term)) return scope.json.summand(term.source, 'numeric', term.comparable !== 'any');
  const small = type?.kind === 'scalar' && (type.scalar === 'I32' || type.scalar === 'U32');
  return scope.json.summand(term.source, small ? 'number' : scope.json.summed, true);
}

function counted(count: Fragment): AggregateSql {
  return { values: [count], order: [count], cell: ([value = null]) => Number(value) };
}

function float(value: Fragment): AggregateSql {
  return { values: [value], order: [value], cell: ([cell = null]) => cellOf(cell, 'number') };
}

function extreme(scope: Scope, fn: 'min' | 'max', term: Term, ask: Ask): AggregateSql {
  if (term.kind === 'json' && term.comparable === 'any') return extremeOfAny(scope, fn, term, ask);
  const { comparable } = term;
  const key = sql`${fn}(${ask(keyOf(scope, term, comparable))})`;
  return {
    values: [scope.json.readable(key, comparable)],
    order: [key],
    cell: ([value = null]) => cellOf(value, comparable),
  };
}

/** Booleans come before numbers, and those before texts. */
const kinds: readonly Comparable[] = ['boolean', 'number', 'text'];

function extremeOfAny(scope: Scope, fn: 'min' | 'max', term: Term, ask: Ask): AggregateSql {
  const keys = kinds.map((kind) => sql`${fn}(${ask(keyOf(scope, term, kind))})`);
  const [boolean = raw('null'), number = raw('null'), text = raw('null')] = keys;
  const first = fn === 'min' ? [boolean, number, text] : [text, number, boolean];
  const rank = sql`(case ${whenFirst(first, [boolean, number, text])} end)`;
  return {
    values: kinds.map((kind, index) => scope.json.readable(keys[index] ?? raw('null'), kind)),
    order: [
      rank,
      sql`(case ${rank} when 0 then ${boolean} when 1 then ${number} end)`,
      sql`(case ${rank} when 2 then ${text} end)`,
    ],
    cell: (values) => {
      const cells = kinds.map((kind, index) => cellOf(values[index] ?? null, kind));
      return (fn === 'min' ? cells : cells.reverse()).find((cell) => cell !== null) ?? null;
    },
  };
}

/** The rank of the first of the keys that there is. */
function whenFirst(first: readonly Fragment[], ranked: readonly Fragment[]): Fragment {
  return first
    .map((key) => sql`when ${key} is not null then ${String(ranked.indexOf(key))}`)
    .reduce((before, next) => sql`${before} ${next}`);
}

import type { PropertyOperand, ValueOperand } from '../../row-query.js';
import { raw, sql } from '../sql.js';
import { type Comparable, comparableOf, comparableOfValue, memberComparable } from './comparable.js';
import { type GivenValue, givenSql, type QueryFragment } from './parameter-slots.js';
import type { JsonSource } from './query-dialect.js';
import { operandSource, type SqlScope } from './sql-scope.js';

export type Term =
  | (GivenValue & {
      readonly kind: 'given';
      readonly comparable: Comparable;
      readonly members: Comparable;
    })
  | { readonly kind: 'text'; readonly text: QueryFragment; readonly comparable: 'text' }
  /** A key that the statement computes. */
  | { readonly kind: 'computed'; readonly key: QueryFragment; readonly comparable: Comparable }
  | {
      readonly kind: 'json';
      readonly source: JsonSource;
      readonly comparable: Comparable;
      readonly members: Comparable;
    };

export function storedTerm(scope: SqlScope, operand: PropertyOperand | ValueOperand): Term {
  if (operand.kind === 'value')
    return {
      kind: 'given',
      ...scope.given(operand),
      comparable: comparableOfValue(operand.value, operand.type),
      members: memberComparable(operand.type),
    };
  const place = operandSource(scope, operand);
  if (place.kind === 'text') return { kind: 'text', text: place.text, comparable: 'text' };
  if (operand.place === 'row')
    return { kind: 'json', source: place.source, comparable: 'list', members: 'text' };
  return {
    kind: 'json',
    source: place.source,
    comparable: comparableOf(operand.type),
    members: memberComparable(operand.type),
  };
}

/** The key a term is compared by, as this kind of value; null if it is not one. */
export function comparisonKey(scope: SqlScope, term: Term, comparable: Comparable): QueryFragment {
  switch (term.kind) {
    case 'given':
      return givenSql(term, (value) => scope.queryDialect.constant(value, comparable));
    case 'text':
      return sql`(${term.text}${raw(scope.queryDialect.byCodePoint)})`;
    case 'computed':
      return comparable === term.comparable
        ? term.key
        : scope.queryDialect.exactNumber(term.key, term.comparable);
    case 'json':
      return scope.queryDialect.key(term.source, comparable, term.comparable !== 'any');
  }
}

export function termJson(scope: SqlScope, term: Term): QueryFragment {
  switch (term.kind) {
    case 'given':
      return term.value === null
        ? raw('null')
        : givenSql(term, (value) => scope.queryDialect.constant(value, 'list'));
    case 'text':
      return term.text;
    case 'computed':
      return term.key;
    case 'json':
      return sql`nullif(${term.source.json}, 'null')`;
  }
}

/** By kind of value first, where that is unknown. */
export function orderKeys(scope: SqlScope, term: Term): QueryFragment[] {
  if (term.kind === 'given') return [];
  if (term.kind !== 'json' || term.comparable !== 'any') return [comparisonKey(scope, term, term.comparable)];
  const { queryDialect } = scope;
  const key = (comparable: Comparable) => queryDialect.key(term.source, comparable, false);
  return [
    queryDialect.rank(term.source),
    sql`coalesce(${key('number')}, ${key('boolean')})`,
    sql`coalesce(${key('text')}, case when ${queryDialect.rank(term.source)} = 3 then ${term.source.json} end)${raw(queryDialect.byCodePoint)}`,
  ];
}

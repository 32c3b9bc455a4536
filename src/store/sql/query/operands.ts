import type { Json } from '../../../model/json.js';
import type { Operand } from '../../row-query.js';
import type { Fragment } from '../executor.js';
import { type Comparable, comparableOf, comparableValue, memberComparable } from './comparable.js';
import type { JsonSource } from './query-dialect.js';
import { placeOf, type Scope } from './scope.js';
import { raw, sql } from './sql.js';

/** An operand in SQL. */
export type Term =
  | {
      readonly kind: 'given';
      readonly value: Json;
      readonly comparable: Comparable;
      /** Of a list. */
      readonly members: Comparable;
    }
  | { readonly kind: 'text'; readonly text: Fragment; readonly comparable: 'text' }
  | {
      readonly kind: 'json';
      readonly source: JsonSource;
      readonly comparable: Comparable;
      /** Of a list. */
      readonly members: Comparable;
    };

export function termOf(scope: Scope, operand: Operand): Term {
  if (operand.kind === 'value')
    return {
      kind: 'given',
      value: operand.value,
      comparable: comparableValue(operand.value, operand.type),
      members: memberComparable(operand.type),
    };
  const place = placeOf(scope, operand);
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

/** What a term is compared by, as this kind of value; null where it is no such value. */
export function keyOf(scope: Scope, term: Term, comparable: Comparable): Fragment {
  switch (term.kind) {
    case 'given':
      return scope.json.constant(term.value, comparable);
    case 'text':
      return sql`(${term.text}${scope.json.byCodePoint})`;
    case 'json':
      return scope.json.key(term.source, comparable, term.comparable !== 'any');
  }
}

/** The term as text in JSON; null where there is none. */
export function jsonOf(scope: Scope, term: Term): Fragment {
  switch (term.kind) {
    case 'given':
      return term.value === null ? raw('null') : scope.json.constant(term.value, 'list');
    case 'text':
      return term.text;
    case 'json':
      return sql`nullif(${term.source.json}, 'null')`;
  }
}

/**
 * What a term is ordered by: first of all what kind of value it is, where that is not known.
 */
export function orderKeys(scope: Scope, term: Term): Fragment[] {
  if (term.kind === 'given') return [];
  if (term.kind === 'text' || term.comparable !== 'any') return [keyOf(scope, term, term.comparable)];
  const { json } = scope;
  const key = (comparable: Comparable) => json.key(term.source, comparable, false);
  return [
    json.rank(term.source),
    sql`coalesce(${key('number')}, ${key('boolean')})`,
    sql`coalesce(${key('text')}, case when ${json.rank(term.source)} = 3 then ${term.source.json} end)${json.byCodePoint}`,
  ];
}

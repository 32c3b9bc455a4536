import type { BlockAggregate } from '../../row-query.js';
import { raw, sql } from '../sql.js';
import { aggregateSql } from './aggregate-sql.js';
import { orderKeys, type Term, termJson } from './operand-sql.js';
import type { QueryFragment } from './parameter-slots.js';
import type { SqlScope } from './sql-scope.js';

/** The value of an aggregate over the matches of a block; `term` is what it is of. */
export function blockAggregateTerm(
  scope: SqlScope,
  { fn, of, block }: BlockAggregate,
  term: Term | null,
): Term {
  if (of === null || term === null)
    return { kind: 'computed', key: scope.blocks.select(block, [], raw('count(*)')), comparable: 'number' };
  if (isExtreme(fn) && term.kind === 'json' && term.comparable === 'any')
    return extremeOfAny(scope, fn, block, term);
  const asked: QueryFragment[] = [];
  const { order } = aggregateSql(scope, fn, { term, type: of.type }, (expression) => {
    asked.push(expression);
    return raw(`q.a${asked.length - 1}`);
  });
  const [value = raw('null')] = order;
  const answer = fn === 'sum' ? sql`(case when count(q.a0) = 0 then 0 else ${value} end)` : value;
  const key = scope.blocks.select(block, asked, answer);
  if (!isExtreme(fn)) return { kind: 'computed', key, comparable: 'number' };
  return { kind: 'computed', key, comparable: term.comparable };
}

function isExtreme(fn: BlockAggregate['fn']): fn is 'min' | 'max' {
  return fn === 'min' || fn === 'max';
}

/** Only the values tell of which kinds they are, so the first of them is taken as it is. Lists have no order. */
function extremeOfAny(
  scope: SqlScope,
  fn: 'min' | 'max',
  block: BlockAggregate['block'],
  term: Extract<Term, { kind: 'json' }>,
): Term {
  const keys = orderKeys(scope, term);
  const direction = fn === 'min' ? 'asc nulls last' : 'desc nulls last';
  const terms = keys.map((_, index) => `q.a${index + 1} ${direction}`);
  const json = scope.blocks.select(
    block,
    [termJson(scope, term), ...keys],
    raw('q.a0'),
    raw(` where q.a1 < 3 order by ${terms.join(', ')} limit 1`),
  );
  return { ...term, source: scope.queryDialect.document(json) };
}

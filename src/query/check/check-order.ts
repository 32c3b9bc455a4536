import { formatValueType } from '../../language/format-value-type.js';
import { queryLimits } from '../../model/limits.js';
import { printExpression } from '../print-expression.js';
import type { OrderTerm, Projection, ReadBody } from '../query-ast.js';
import { type CheckedColumn, checkExpression } from './check-columns.js';
import type { CheckedExpression, CheckedRead, CheckedScore } from './checked-query.js';
import type { QueryScope } from './query-scope.js';
import { isSortableType } from './type-rules.js';

type OrderKeys = CheckedRead['order'];

export function checkOrder(
  { projections, order, limit }: ReadBody,
  columns: readonly CheckedColumn[],
  grouped: boolean,
  scope: QueryScope,
): OrderKeys {
  const { errors } = scope.query;
  const keys = order.slice(0, queryLimits.orderKeys).flatMap((term, index) => {
    if (isReportedColumn(term, projections, columns)) return [];
    const expression = orderKeyExpression(term, columns, grouped, scope);
    if (expression === undefined) return [];
    const score = asScore(expression);
    if (score !== undefined) checkScoreKey(score, term, index, limit !== null, scope);
    return [{ expression, descending: isDescending(term, score) }];
  });
  const last = order[queryLimits.orderKeys];
  if (last !== undefined) {
    errors.add(last.at, 'too_large', `An order has at most ${queryLimits.orderKeys} keys.`);
  }
  checkReturnedScores(columns, order, grouped, scope);
  return keys;
}

/** Whether the error of a column was already reported. */
function isReportedColumn(
  { expression }: OrderTerm,
  projections: readonly Projection[],
  columns: readonly CheckedColumn[],
): boolean {
  return (
    expression.kind === 'name' &&
    projections.some(({ alias }) => alias === expression.name) &&
    !columns.some(({ name }) => name === expression.name)
  );
}

function orderKeyExpression(
  term: OrderTerm,
  columns: readonly CheckedColumn[],
  grouped: boolean,
  scope: QueryScope,
): CheckedExpression | undefined {
  const { errors } = scope.query;
  const column = findColumn(term, columns);
  if (column === undefined && term.expression.kind === 'name') {
    errors.add(term.at, 'unknown_column', `There is no column ${term.expression.name}.`, {
      meant: term.expression.name,
      among: columns.map(({ name }) => name),
    });
    return undefined;
  }
  const expression = column === undefined ? checkExpression(term.expression, scope) : column.expression;
  if (expression === undefined) return undefined;
  if (column === undefined && (grouped || expression.kind === 'aggregate')) {
    errors.add(
      term.at,
      'not_returned',
      'Grouped rows can only be ordered by a returned column; return this expression or order by a column.',
      { expected: columns.map(({ name }) => name) },
    );
    return undefined;
  }
  const problem = sortProblem(expression);
  if (problem === undefined) return expression;
  errors.add(term.at, 'no_order', problem);
  return undefined;
}

function findColumn({ expression }: OrderTerm, columns: readonly CheckedColumn[]): CheckedColumn | undefined {
  if (expression.kind === 'name') return columns.find(({ name }) => name === expression.name);
  const text = printExpression(expression);
  return columns.find((column) => column.text === text);
}

function sortProblem(expression: CheckedExpression): string | undefined {
  switch (expression.kind) {
    case 'node':
    case 'edge':
      return `A whole ${expression.kind} has no order; order by one of its properties.`;
    case 'property':
    case 'literal':
    case 'parameter':
    case 'now':
    case 'truth':
    case 'block-aggregate': {
      const { type } = expression;
      return type === null || isSortableType(type)
        ? undefined
        : `Values of ${formatValueType(type)} have no order.`;
    }
    default:
      return undefined;
  }
}

function asScore(expression: CheckedExpression): CheckedScore | undefined {
  return expression.kind === 'nearest' || expression.kind === 'bm25' || expression.kind === 'rrf'
    ? expression
    : undefined;
}

/** The best comes first: the least distance, the highest score. */
function isDescending({ direction }: OrderTerm, score: CheckedScore | undefined): boolean {
  return score === undefined ? direction === 'desc' : score.kind !== 'nearest';
}

function checkScoreKey(
  { kind }: CheckedScore,
  { at, direction }: OrderTerm,
  index: number,
  limited: boolean,
  { query: { errors } }: QueryScope,
): void {
  if (index > 0) errors.add(at, 'misplaced', `${kind} must be the first key of the order.`);
  if (!limited && kind !== 'bm25') errors.add(at, 'limit_needed', `An order by ${kind} needs a limit.`);
  const best = kind === 'nearest' ? 'asc' : 'desc';
  if (direction !== null && direction !== best) {
    errors.add(at, 'worst_first', `An order by ${kind} is ${best}: the best rows come first.`, {
      expected: [best],
    });
  }
}

/** A score is the rank of a row in an order, so the query must have that order. */
function checkReturnedScores(
  columns: readonly CheckedColumn[],
  order: readonly OrderTerm[],
  grouped: boolean,
  { query: { errors } }: QueryScope,
): void {
  const [first] = order;
  const key = first && (findColumn(first, columns)?.text ?? printExpression(first.expression));
  for (const { expression, text, at } of columns) {
    if (asScore(expression) === undefined) continue;
    if (grouped)
      errors.add(at, 'misplaced', 'A group of rows has no score; remove the aggregates or the score.');
    else if (text !== key) {
      errors.add(at, 'misplaced', `${text} is a score; it must also be the first order key.`);
    }
  }
}

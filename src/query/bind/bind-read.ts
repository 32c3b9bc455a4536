import { queryLimits } from '../../model/limits.js';
import type { RowQuery, RowQueryExpression, Score } from '../../store/row-query.js';
import { maxRrfK } from '../check/check-score.js';
import type { CheckedExpression, CheckedRead, CheckedScore } from '../check/checked-query.js';
import { bindBlock, bindOperand } from './bind-conditions.js';
import type { BoundValues } from './bound-values.js';

export function bindRead(read: CheckedRead, values: BoundValues): RowQuery {
  return {
    match: bindBlock(read.match, values),
    columns: read.columns.map(({ name, expression }) => ({
      name,
      expression: bindExpression(expression, values),
    })),
    grouped: read.grouped,
    order: read.order.map(({ expression, descending }) => ({
      expression: bindExpression(expression, values),
      descending,
    })),
    limit: read.limit && values.integerInRange(read.limit, 1, queryLimits.rows, 'A limit'),
  };
}

function bindExpression(expression: CheckedExpression, values: BoundValues): RowQueryExpression {
  switch (expression.kind) {
    case 'node':
    case 'edge':
      return expression;
    case 'aggregate': {
      const { kind, fn, of } = expression;
      return { kind, fn, of: 'type' in of ? bindOperand(of, values) : of };
    }
    case 'nearest':
    case 'bm25':
    case 'rrf':
      return bindScore(expression, values);
    default:
      return bindOperand(expression, values);
  }
}

function bindScore(score: CheckedScore, values: BoundValues): Score {
  switch (score.kind) {
    case 'nearest':
      return { kind: 'nearest', operand: score.operand, vector: values.vector(score) };
    case 'bm25':
      return { kind: 'bm25', operand: score.operand, text: values.text(score.text) ?? '' };
    case 'rrf': {
      const [a, b] = score.arms;
      const k = values.integerInRange(score.k, 1, maxRrfK, 'The third argument of rrf');
      return { kind: 'rrf', arms: [bindScore(a, values), bindScore(b, values)], k };
    }
  }
}

import { queryLimits } from '../../model/limits.js';
import type { QueryExpression } from '../query-ast.js';
import { checkIntegerInRange } from './check-text-condition.js';
import type { Constant } from './checked-query.js';
import type { QueryScope } from './query-scope.js';

/** `limit 10`, or `limit $n` with a parameter that is an integer. */
export function checkLimit(limit: QueryExpression, scope: QueryScope): Constant | undefined {
  const { parameters, errors } = scope.query;
  if (limit.kind === 'variable' && !parameters.has(limit.name)) {
    errors.add(
      limit.at,
      'not_a_parameter',
      `A limit is a number or a parameter, and $${limit.name} is none; declare it: $${limit.name}: I32.`,
    );
    return undefined;
  }
  if (limit.kind === 'number' && !/^\d+$/.test(limit.text)) {
    errors.add(limit.at, 'out_of_range', `A limit is a whole number from 1 to ${queryLimits.rows}.`);
    return undefined;
  }
  return checkIntegerInRange(limit, 1, queryLimits.rows, scope, 'A limit');
}

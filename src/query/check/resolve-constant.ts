import { formatValueType } from '../../language/format-value-type.js';
import type { ValueType } from '../../model/value-type.js';
import { printExpression } from '../print-expression.js';
import type { QueryExpression } from '../query-ast.js';
import type { AssignedValue, Constant } from './checked-query.js';
import { literalConstant } from './literal-constant.js';
import type { QueryScope } from './query-scope.js';
import { resolveOperand } from './resolve-operand.js';
import { isAssignable } from './type-rules.js';

/** Reports an error and returns undefined if the expression is not a constant of that type. */
export function resolveConstant(
  expression: QueryExpression,
  type: ValueType | null,
  scope: QueryScope,
  what: string,
): Constant | undefined {
  const resolved = resolveOperand(expression, scope);
  if (resolved === undefined) return undefined;
  if (resolved.kind === 'literal') return literalConstant(scope.query, resolved.literal, type);
  if (resolved.kind !== 'constant') {
    scope.query.errors.add(expression.at, 'not_a_constant', `${what} must be a value or a parameter.`);
    return undefined;
  }
  return fitting(resolved.constant, type, expression, scope, what);
}

/** A value to store: a constant, or a condition on constants. */
export function resolveAssigned(
  expression: QueryExpression,
  type: ValueType | null,
  scope: QueryScope,
  what: string,
): NonNullable<AssignedValue> | undefined {
  if (!isCondition(expression)) return resolveConstant(expression, type, scope, what);
  const resolved = resolveOperand(expression, scope);
  if (resolved?.kind !== 'computed' || resolved.operand.kind !== 'truth') return undefined;
  return fitting(resolved.operand, type, expression, scope, what);
}

function isCondition({ kind }: QueryExpression): boolean {
  return kind === 'compare' || kind === 'is-null' || kind === 'and' || kind === 'or' || kind === 'not';
}

function fitting<Value extends NonNullable<AssignedValue>>(
  value: Value,
  type: ValueType | null,
  expression: QueryExpression,
  { query }: QueryScope,
  what: string,
): Value | undefined {
  if (type === null || isAssignable(value.type, type)) return value;
  const text = printExpression(expression);
  const isOnlyNull = isAssignable({ ...value.type, nullable: false }, type);
  const why = isOnlyNull
    ? `${what} must not be null, but ${text} may be`
    : `${what} must be ${formatValueType(type)}, but ${text} is ${formatValueType(value.type)}`;
  query.errors.add(expression.at, 'type_mismatch', `${why}.`, { expected: [formatValueType(type)] });
  return undefined;
}

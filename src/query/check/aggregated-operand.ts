import { formatValueType } from '../../language/format-value-type.js';
import type { AggregateFunction } from '../../store/row-query.js';
import type { CheckedOperand } from './checked-query.js';
import { inferLiteralType, literalConstant } from './literal-constant.js';
import type { QueryScope } from './query-scope.js';
import type { ResolvedOperand } from './resolve-operand.js';
import { isBoolType, isNumericType, isOrderedType } from './type-rules.js';

export function aggregatedOperand(
  resolved: Exclude<ResolvedOperand, { kind: 'variable' }>,
  scope: QueryScope,
): CheckedOperand | undefined {
  switch (resolved.kind) {
    case 'constant':
      return resolved.constant;
    case 'literal':
      return literalConstant(scope.query, resolved.literal, inferLiteralType(resolved.literal) ?? null);
    default:
      return resolved.operand;
  }
}

/** Reports an error and returns false if a function has no value of that type. */
export function isAggregable(
  fn: AggregateFunction,
  { type }: CheckedOperand,
  at: number,
  { query: { errors } }: QueryScope,
): boolean {
  if (fn === 'count' || type === null) return true;
  const isExtreme = fn === 'min' || fn === 'max';
  if (isNumericType(type) || (isExtreme && (isOrderedType(type) || isBoolType(type)))) return true;
  const expected = isExtreme ? ['a number', 'String', 'Date', 'DateTime', 'Bool'] : ['a number'];
  errors.add(
    at,
    'type_mismatch',
    `${fn} takes ${expected.join(' or ')}, but this is ${formatValueType(type)}.`,
    { expected },
  );
  return false;
}

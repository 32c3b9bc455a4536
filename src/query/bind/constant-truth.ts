import { TrellisError } from '../../model/error.js';
import type { Json } from '../../model/json.js';
import type { ValueType } from '../../model/value-type.js';
import type { CheckedCondition, CheckedOperand, Constant } from '../check/checked-query.js';
import { isNumericType } from '../check/type-rules.js';
import { type BoundValues, isConstant } from './bound-values.js';

/** Null: unknown, because something is null. */
export type Truth = boolean | null;

/** Decides a condition on constants, as stores decide it on rows. */
export function constantTruth(condition: CheckedCondition, values: BoundValues): Truth {
  switch (condition.kind) {
    case 'compare':
      return constantComparison(condition, values);
    case 'is-null':
      return (operandValue(condition.operand, values) === null) !== condition.negated;
    case 'and':
    case 'or': {
      const decisive = condition.kind === 'or';
      const parts = condition.conditions.map((part) => constantTruth(part, values));
      return parts.includes(decisive) ? decisive : parts.includes(null) ? null : !decisive;
    }
    case 'not': {
      const truth = constantTruth(condition.condition, values);
      return truth === null ? null : !truth;
    }
    default:
      throw new TrellisError('INTERNAL', `A condition on constants cannot be ${condition.kind}.`);
  }
}

function operandValue(operand: CheckedOperand, values: BoundValues): Json {
  if (isConstant(operand)) return values.resolve(operand);
  if (operand.kind === 'truth') return constantTruth(operand.condition, values);
  throw new TrellisError('INTERNAL', `A constant cannot be ${operand.kind}.`);
}

export function constantComparison(
  { operator, left, right }: CheckedCondition & { kind: 'compare' },
  values: BoundValues,
): Truth {
  const a = operandValue(left, values);
  const b = operandValue(right, values);
  if (a === null || b === null) return null;
  switch (operator) {
    case 'in':
      return hasMember(b, a, right.type);
    case 'contains':
      return typeof a === 'string' ? a.includes(String(b)) : hasMember(a, b, left.type);
    case 'starts_with':
      return String(a).startsWith(String(b));
  }
  const areNumbers = left.type !== null && isNumericType(left.type);
  const order = areNumbers ? numericOrder(a, b) : textOrder(String(a), String(b));
  switch (operator) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function hasMember(list: Json, item: Json, type: ValueType | null): boolean {
  if (!Array.isArray(list)) return false;
  const of: ValueType | null =
    type?.kind === 'list' ? { kind: 'scalar', scalar: type.of, nullable: false } : null;
  const areNumbers = of !== null && isNumericType(of);
  return list.some((member: Json) => (areNumbers ? numericOrder(member, item) === 0 : member === item));
}

/** JavaScript compares integers of any size with floats exactly. */
function numericOrder(a: Json, b: Json): number {
  const [left, right] = [numericValue(a), numericValue(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Integers beyond 2⁵³ are strings of digits. */
function numericValue(value: Json): number | bigint {
  return typeof value === 'string' ? BigInt(value) : Number(value);
}

/** By code point, which is the order of the bytes of UTF-8. */
function textOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export function isConstantComparison(
  condition: CheckedCondition & { kind: 'compare' },
): condition is CheckedCondition & { kind: 'compare'; left: Constant; right: Constant } {
  return isConstant(condition.left) && isConstant(condition.right);
}

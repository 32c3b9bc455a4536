import type { Condition, Operand, RowQuery, RowQueryBlock } from '../../row-query.js';
import { comparableOf, isNumericComparable } from './comparable.js';
import type { ParameterValue } from './parameter-slots.js';

export type ValueOperand = Extract<Operand, { kind: 'value' }>;

interface QueryShape {
  /** Equal for queries that differ only in those values. */
  readonly key: string;
  readonly values: readonly ParameterValue[];
}

/** Longer texts are looked up by a prefix, which takes other SQL. */
const maxParameterLength = 100;

/** Leaves out the texts and integers that properties are compared with. Every query pays for this, so it copies nothing. */
export function shapeOf({ match, columns, grouped, order }: RowQuery): QueryShape {
  const given: ParameterValue[] = [];
  const key = `${blockKey(match, given)} ${grouped} ${JSON.stringify(columns)} ${JSON.stringify(order)}`;
  return { key, values: given };
}

function blockKey({ nodes, hops, conditions }: RowQueryBlock, given: ParameterValue[]): string {
  return `{${JSON.stringify(nodes)}${JSON.stringify(hops)}${conditionsKey(conditions, given)}}`;
}

function conditionsKey(conditions: readonly Condition[], given: ParameterValue[]): string {
  let key = '[';
  for (const condition of conditions) key += `${conditionKey(condition, given)},`;
  return `${key}]`;
}

function conditionKey(condition: Condition, given: ParameterValue[]): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.kind + conditionsKey(condition.conditions, given);
    case 'not':
      return `not(${conditionKey(condition.condition, given)})`;
    case 'exists':
      return `${condition.negated ? 'no' : 'some'}${blockKey(condition.block, given)}`;
    case 'compare': {
      const { operator, left, right } = condition;
      return `(${operandKey(left, right, given)}${operator}${operandKey(right, left, given)})`;
    }
    default:
      return JSON.stringify(condition);
  }
}

function operandKey(side: Operand, other: Operand, given: ParameterValue[]): string {
  const value = parameterValueOf(side, other);
  if (value === undefined) return JSON.stringify(side);
  given.push(value);
  return `?${typeof value}${JSON.stringify(side.kind === 'value' ? side.type : null)}`;
}

/** The value of a side if the SQL is the same for all values like it: short texts, and integers every number type holds. */
function parameterValueOf(side: Operand, other: Operand): ParameterValue | undefined {
  if (side.kind !== 'value' || other.kind !== 'property') return undefined;
  const comparable = other.place === 'row' ? 'text' : comparableOf(other.type);
  const { value } = side;
  if (typeof value === 'string') {
    // Digits of large integers are compared differently.
    const isText =
      !isNumericComparable(comparableOf(side.type)) && (comparable === 'text' || comparable === 'any');
    return isText && value.length < maxParameterLength ? value : undefined;
  }
  return (comparable === 'any' || isNumericComparable(comparable)) &&
    typeof value === 'number' &&
    Number.isSafeInteger(value) &&
    value >= 0
    ? value
    : undefined;
}

type ReplaceValue = (given: ValueOperand, index: number) => ValueOperand;

/** `index` is the position of a value in the shape. */
export function replaceValues(query: RowQuery, replace: ReplaceValue): RowQuery {
  let index = 0;
  return { ...query, match: replaceInBlock(query.match, (given) => replace(given, index++)) };
}

type ReplaceNext = (given: ValueOperand) => ValueOperand;

function replaceInBlock(block: RowQueryBlock, replace: ReplaceNext): RowQueryBlock {
  return { ...block, conditions: block.conditions.map((condition) => replaceIn(condition, replace)) };
}

function replaceIn(condition: Condition, replace: ReplaceNext): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { ...condition, conditions: condition.conditions.map((each) => replaceIn(each, replace)) };
    case 'not':
      return { ...condition, condition: replaceIn(condition.condition, replace) };
    case 'exists':
      return { ...condition, block: replaceInBlock(condition.block, replace) };
    case 'compare': {
      const { left, right } = condition;
      return {
        ...condition,
        left: replaceOperand(left, right, replace),
        right: replaceOperand(right, left, replace),
      };
    }
    default:
      return condition;
  }
}

function replaceOperand(side: Operand, other: Operand, replace: ReplaceNext): Operand {
  return side.kind === 'value' && parameterValueOf(side, other) !== undefined ? replace(side) : side;
}

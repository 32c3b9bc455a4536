import type { Condition, Operand, RowQuery, RowQueryBlock, ValueOperand } from '../../row-query.js';
import { type Comparable, comparableOf, isNumericComparable } from './comparable.js';
import type { ParameterValue } from './parameter-slots.js';

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
    case 'is-null':
      return `${condition.negated ? 'some' : 'none'}(${innerKey(condition.operand, given)})`;
    default:
      return JSON.stringify(condition);
  }
}

function operandKey(side: Operand, other: Operand, given: ParameterValue[]): string {
  const value = parameterValueOf(side, other);
  if (value === undefined) return innerKey(side, given);
  given.push(value);
  return `?${typeof value}${JSON.stringify(side.kind === 'value' ? side.type : null)}`;
}

function innerKey(operand: Operand, given: ParameterValue[]): string {
  if (operand.kind === 'truth') return `truth(${conditionKey(operand.condition, given)})`;
  if (operand.kind !== 'block-aggregate') return JSON.stringify(operand);
  return `${operand.fn}(${JSON.stringify(operand.of)})${blockKey(operand.block, given)}`;
}

/** The value of a side if the SQL is the same for all values like it: short texts, and integers every number type holds. */
function parameterValueOf(side: Operand, other: Operand): ParameterValue | undefined {
  if (side.kind !== 'value') return undefined;
  const comparable = openComparable(other);
  if (comparable === undefined) return undefined;
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

/** How values of any call are compared with this side; undefined if that depends on the value. */
function openComparable(operand: Operand): Comparable | undefined {
  switch (operand.kind) {
    case 'property':
      return operand.place === 'row' ? 'text' : comparableOf(operand.type);
    case 'block-aggregate':
      return operand.fn === 'min' || operand.fn === 'max' ? undefined : 'number';
    default:
      return undefined;
  }
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
    case 'is-null':
      return { ...condition, operand: replaceWithin(condition.operand, replace) };
    default:
      return condition;
  }
}

function replaceOperand(side: Operand, other: Operand, replace: ReplaceNext): Operand {
  if (side.kind === 'value' && parameterValueOf(side, other) !== undefined) return replace(side);
  return replaceWithin(side, replace);
}

function replaceWithin(operand: Operand, replace: ReplaceNext): Operand {
  if (operand.kind === 'truth') return { ...operand, condition: replaceIn(operand.condition, replace) };
  if (operand.kind !== 'block-aggregate') return operand;
  return { ...operand, block: replaceInBlock(operand.block, replace) };
}

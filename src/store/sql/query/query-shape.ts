import type { Condition, Operand, RowQuery, RowQueryBlock } from '../../row-query.js';
import { comparableOf, isNumericComparable } from './comparable.js';

/** A value that a property is compared with. */
export type ParameterValue = string | number;

/** A query without the values that differ from call to call. */
export interface QueryShape {
  /** Equal for queries that differ in those values alone. */
  readonly key: string;
  readonly values: readonly ParameterValue[];
}

/** A longer text is looked up by its beginning, and so takes other SQL. */
const maxParameterLength = 100;

/** The shape of a query: the texts and integers that properties are compared with are taken out, and nothing else is. */
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

/** The value of a side, if SQL is the same for all values like it: any short text, any integer that every kind of number holds. */
function parameterValueOf(side: Operand, other: Operand): ParameterValue | undefined {
  if (side.kind !== 'value' || other.kind !== 'property') return undefined;
  const comparable = other.place === 'row' ? 'text' : comparableOf(other.type);
  const { value } = side;
  if (typeof value === 'string') {
    // Digits of a large integer are compared in a way of their own.
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

/** The query with other values in the place of those that its shape leaves out. */
export function withValues(query: RowQuery, given: readonly ParameterValue[]): RowQuery {
  return { ...query, match: blockWith(query.match, given.values()) };
}

function blockWith(block: RowQueryBlock, given: Iterator<ParameterValue>): RowQueryBlock {
  return { ...block, conditions: block.conditions.map((condition) => conditionWith(condition, given)) };
}

function conditionWith(condition: Condition, given: Iterator<ParameterValue>): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { ...condition, conditions: condition.conditions.map((each) => conditionWith(each, given)) };
    case 'not':
      return { ...condition, condition: conditionWith(condition.condition, given) };
    case 'exists':
      return { ...condition, block: blockWith(condition.block, given) };
    case 'compare': {
      const { left, right } = condition;
      return { ...condition, left: operandWith(left, right, given), right: operandWith(right, left, given) };
    }
    default:
      return condition;
  }
}

function operandWith(side: Operand, other: Operand, given: Iterator<ParameterValue>): Operand {
  if (side.kind !== 'value' || parameterValueOf(side, other) === undefined) return side;
  const { value, done } = given.next();
  return done === true ? side : { ...side, value };
}

/** A property that a value is compared with, and a type that its nodes may have. */
export interface ComparedProperty {
  readonly type: string;
  readonly property: string;
}

/** What values are compared with in the outermost block, by which its nodes may be looked up. */
export function comparedProperties({ match }: RowQuery): ComparedProperty[] {
  const types = [...new Set(match.nodes.flatMap((node) => node.types ?? []))];
  const properties = match.conditions.flatMap((condition) =>
    condition.kind === 'compare'
      ? [condition.left, condition.right].flatMap((side) => (side.kind === 'property' ? side.property : []))
      : [],
  );
  return [...new Set(properties)].flatMap((property) => types.map((type) => ({ type, property })));
}

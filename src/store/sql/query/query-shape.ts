import type { Block, Condition, Operand, RowQuery } from '../../row-query.js';
import { comparableOf, isNumeric } from './comparable.js';

/** A value that a property is compared with. */
export type Given = string | number;

/** A query without the values that differ from call to call. */
export interface QueryShape {
  /** Equal for queries that differ in those values alone. */
  readonly key: string;
  readonly given: readonly Given[];
}

/** A longer text is looked up by its beginning, and so takes other SQL. */
const longestText = 100;

/** The shape of a query: the texts and integers that properties are compared with are taken out, and nothing else is. */
export function shapeOf({ match, columns, grouped, order }: RowQuery): QueryShape {
  const given: Given[] = [];
  const key = `${blockKey(match, given)} ${grouped} ${JSON.stringify(columns)} ${JSON.stringify(order)}`;
  return { key, given };
}

function blockKey({ nodes, hops, conditions }: Block, given: Given[]): string {
  return `{${JSON.stringify(nodes)}${JSON.stringify(hops)}${conditionsKey(conditions, given)}}`;
}

function conditionsKey(conditions: readonly Condition[], given: Given[]): string {
  let key = '[';
  for (const condition of conditions) key += `${conditionKey(condition, given)},`;
  return `${key}]`;
}

function conditionKey(condition: Condition, given: Given[]): string {
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
      return `(${sideKey(left, right, given)}${operator}${sideKey(right, left, given)})`;
    }
    default:
      return JSON.stringify(condition);
  }
}

function sideKey(side: Operand, other: Operand, given: Given[]): string {
  const value = takenOut(side, other);
  if (value === undefined) return JSON.stringify(side);
  given.push(value);
  return `?${typeof value}${JSON.stringify(side.kind === 'value' ? side.type : null)}`;
}

/** The value of a side, if SQL is the same for all values like it: any short text, any integer that every kind of number holds. */
function takenOut(side: Operand, other: Operand): Given | undefined {
  if (side.kind !== 'value' || other.kind !== 'property') return undefined;
  const comparable = other.place === 'row' ? 'text' : comparableOf(other.type);
  const { value } = side;
  if (typeof value === 'string') {
    // Digits of a large integer are compared in a way of their own.
    const isText = !isNumeric(comparableOf(side.type)) && (comparable === 'text' || comparable === 'any');
    return isText && value.length < longestText ? value : undefined;
  }
  return (comparable === 'any' || isNumeric(comparable)) &&
    typeof value === 'number' &&
    Number.isSafeInteger(value) &&
    value >= 0
    ? value
    : undefined;
}

/** The query with other values in the place of those that its shape leaves out. */
export function withGiven(query: RowQuery, given: readonly Given[]): RowQuery {
  return { ...query, match: blockWith(query.match, given.values()) };
}

function blockWith(block: Block, given: Iterator<Given>): Block {
  return { ...block, conditions: block.conditions.map((condition) => conditionWith(condition, given)) };
}

function conditionWith(condition: Condition, given: Iterator<Given>): Condition {
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
      return { ...condition, left: sideWith(left, right, given), right: sideWith(right, left, given) };
    }
    default:
      return condition;
  }
}

function sideWith(side: Operand, other: Operand, given: Iterator<Given>): Operand {
  if (side.kind !== 'value' || takenOut(side, other) === undefined) return side;
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

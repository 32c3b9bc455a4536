import type { Json } from '../../src/model/json.js';
import type { Scalar, ValueType } from '../../src/model/value-type.js';
import type {
  ComparisonOperator,
  Condition,
  Hop,
  NodeVariable,
  Operand,
  OrderKey,
  PropertyOperand,
  RowQuery,
  RowQueryBlock,
  RowQueryExpression,
} from '../../src/store/row-query.js';

/* Queries in few words, for tests that say one by one what a store must answer. */

export const node = (id: string, ...types: string[]): NodeVariable => ({
  id,
  types: types.length === 0 ? null : types,
});

export const scalar = (name: Scalar): ValueType => ({ kind: 'scalar', scalar: name, nullable: true });

/** A property; without a type as on a graph without a schema. */
export function prop(
  path: string,
  type: Scalar | ValueType | null = null,
  of: 'node' | 'edge' = 'node',
): PropertyOperand {
  const dot = path.indexOf('.');
  return {
    ...{ kind: 'property', variable: path.slice(0, dot), of, property: path.slice(dot + 1), place: 'props' },
    type: typeof type === 'string' ? scalar(type) : type,
  };
}

/** What every node has: `id`, `name`, `summary`, `tags`, `observations`; or the ends of an edge. */
export function own(path: string, of: 'node' | 'edge' = 'node'): PropertyOperand {
  return { ...prop(path, null, of), place: 'row' };
}

export const value = (given: Json, type: Scalar | null = null): Operand => ({
  ...{ kind: 'value', value: given, type: type === null ? null : scalar(type) },
});

export const compare = (left: Operand, operator: ComparisonOperator, right: Operand): Condition => ({
  ...{ kind: 'compare', operator, left, right },
});

export const negate = (condition: Condition): Condition => ({ kind: 'not', condition });

export function hop(from: string, edge: string, to: string, more: Partial<Hop> = {}): Hop {
  return { from, to, edge, direction: 'out', min: 1, max: 1, variable: null, ...more };
}

export function block(nodes: readonly NodeVariable[], more: Partial<RowQueryBlock> = {}): RowQueryBlock {
  return { nodes, hops: [], conditions: [], ...more };
}

export function query(
  match: RowQueryBlock,
  expressions: readonly RowQueryExpression[],
  more: Partial<RowQuery> = {},
): RowQuery {
  return {
    match,
    columns: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
    grouped: expressions.some(({ kind }) => kind === 'aggregate'),
    order: [],
    limit: null,
    ...more,
  };
}

export const ascending = (expression: RowQueryExpression): OrderKey => ({ expression, descending: false });
export const descending = (expression: RowQueryExpression): OrderKey => ({ expression, descending: true });

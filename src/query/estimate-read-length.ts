import type { GraphSchema } from '../schema/graph/graph-schema.js';
import type { ReadOptions } from '../store/read-options.js';
import type { Condition, Operand, RowQuery } from '../store/row-query.js';

/**
 * A query that looks up a single node by its id or its whole key is short, and stays in this process. One that follows
 * edges or searches for words may take any time.
 */
export function estimateReadLength(
  { match, columns, order }: RowQuery,
  schema: GraphSchema | null,
): NonNullable<ReadOptions['length']> {
  const [node, ...others] = match.nodes;
  if (node === undefined || others.length > 0 || match.hops.length > 0) return 'unbounded';
  if (
    ![...columns, ...order].every(
      ({ expression }) => expression.kind === 'property' || expression.kind === 'node',
    )
  )
    return 'unbounded';
  if (!match.conditions.every(isPlainComparison)) return 'unbounded';
  const equal = match.conditions.flatMap(equalProperty);
  if (equal.some(({ place, property }) => place === 'row' && property === 'id')) return 'short';
  const given = new Set(equal.flatMap(({ place, property }) => (place === 'props' ? property : [])));
  const keys = (node.types ?? []).map((type) => schema?.nodes.get(type)?.key ?? []);
  const isFound = (key: readonly string[]) => key.length > 0 && key.every((property) => given.has(property));
  return keys.length > 0 && keys.every(isFound) ? 'short' : 'unbounded';
}

function isPlainComparison(condition: Condition): boolean {
  const isPlain = ({ kind }: Operand) => kind === 'property' || kind === 'value';
  return condition.kind === 'compare' && isPlain(condition.left) && isPlain(condition.right);
}

function equalProperty(condition: Condition): readonly Extract<Operand, { kind: 'property' }>[] {
  if (condition.kind !== 'compare' || condition.operator !== '=') return [];
  const { left, right } = condition;
  if (left.kind === 'property' && right.kind === 'value') return [left];
  return right.kind === 'property' && left.kind === 'value' ? [right] : [];
}

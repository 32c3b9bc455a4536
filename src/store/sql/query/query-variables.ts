import type {
  BlockAggregate,
  Condition,
  Hop,
  NodeVariable,
  Operand,
  RowQuery,
  RowQueryBlock,
  TextCondition,
} from '../../row-query.js';

export function variablesOf(conditions: readonly Condition[]): ReadonlySet<string> {
  return new Set(conditions.flatMap((condition) => [...variablesIn(condition)]));
}

function variablesIn(condition: Condition): Iterable<string> {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return variablesOf(condition.conditions);
    case 'not':
      return variablesIn(condition.condition);
    case 'compare':
      return [...operandVariables(condition.left), ...operandVariables(condition.right)];
    case 'same':
      return [condition.left, condition.right];
    case 'exists':
      return outerVariables(condition.block);
    default:
      return operandVariables(condition.operand);
  }
}

function operandVariables(operand: Operand): Iterable<string> {
  switch (operand.kind) {
    case 'property':
      return [operand.variable];
    case 'value':
      return [];
    case 'truth':
      return variablesIn(operand.condition);
    case 'block-aggregate':
      return outerVariables(operand.block, operand.of);
  }
}

/** The variables of outer blocks that a block uses, or an operand within it. */
export function outerVariables(
  { nodes, hops, conditions }: RowQueryBlock,
  of: Operand | null = null,
): Set<string> {
  const found = new Set([
    ...hops.flatMap(({ from, to }) => [from, to]),
    ...variablesOf(conditions),
    ...(of === null ? [] : operandVariables(of)),
  ]);
  for (const { id } of nodes) found.delete(id);
  for (const { variable } of hops) if (variable !== null) found.delete(variable);
  return found;
}

export interface QueryVariables {
  readonly nodes: ReadonlyMap<string, NodeVariable>;
  readonly edges: ReadonlyMap<string, Hop>;
}

export function allVariables(query: RowQuery): QueryVariables {
  const nodes = new Map<string, NodeVariable>();
  const edges = new Map<string, Hop>();
  for (const block of blocksOf(query)) {
    for (const node of block.nodes) nodes.set(node.id, node);
    for (const hop of block.hops) if (hop.variable !== null) edges.set(hop.variable, hop);
  }
  return { nodes, edges };
}

/** The block of a query and all blocks within it or its columns. */
export function blocksOf(query: RowQuery): RowQueryBlock[] {
  return [query.match, ...conditionsIn(query).flatMap((part) => ('block' in part ? [part.block] : []))];
}

/** All conditions and block aggregates of a query, however deep. */
export function conditionsIn({ match, columns, order }: RowQuery): readonly (Condition | BlockAggregate)[] {
  const operands = [...columns, ...order].flatMap(({ expression }) => {
    if (expression.kind === 'aggregate') return 'type' in expression.of ? [expression.of] : [];
    return expression.kind === 'truth' || expression.kind === 'block-aggregate' ? [expression] : [];
  });
  return [...match.conditions.flatMap(partsOf), ...operands.flatMap(partsOfOperand)];
}

function partsOf(condition: Condition): readonly (Condition | BlockAggregate)[] {
  switch (condition.kind) {
    case 'not':
      return partsOf(condition.condition);
    case 'and':
    case 'or':
      return condition.conditions.flatMap(partsOf);
    case 'exists':
      return [condition, ...condition.block.conditions.flatMap(partsOf)];
    case 'compare':
      return [condition, ...partsOfOperand(condition.left), ...partsOfOperand(condition.right)];
    case 'is-null':
      return [condition, ...partsOfOperand(condition.operand)];
    default:
      return [condition];
  }
}

function partsOfOperand(operand: Operand): readonly (Condition | BlockAggregate)[] {
  if (operand.kind === 'truth') return partsOf(operand.condition);
  if (operand.kind !== 'block-aggregate') return [];
  const { of, block } = operand;
  return [operand, ...(of === null ? [] : partsOfOperand(of)), ...block.conditions.flatMap(partsOf)];
}

export function conjuncts(conditions: readonly Condition[]): readonly Condition[] {
  if (!conditions.some(({ kind }) => kind === 'and')) return conditions;
  return conditions.flatMap((condition) =>
    condition.kind === 'and' ? conjuncts(condition.conditions) : [condition],
  );
}

export function isTextCondition(condition: Condition | BlockAggregate): condition is TextCondition {
  return condition.kind === 'search' || condition.kind === 'match_text' || condition.kind === 'fuzzy';
}

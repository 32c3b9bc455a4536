import type {
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
      return [...operandVariable(condition.left), ...operandVariable(condition.right)];
    case 'same':
      return [condition.left, condition.right];
    case 'exists':
      return outerVariables(condition.block);
    default:
      return operandVariable(condition.operand);
  }
}

function operandVariable(operand: Operand): string[] {
  return operand.kind === 'property' ? [operand.variable] : [];
}

function outerVariables({ nodes, hops, conditions }: RowQueryBlock): Set<string> {
  const found = new Set([...hops.flatMap(({ from, to }) => [from, to]), ...variablesOf(conditions)]);
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
  for (const block of blocksOf(query.match)) {
    for (const node of block.nodes) nodes.set(node.id, node);
    for (const hop of block.hops) if (hop.variable !== null) edges.set(hop.variable, hop);
  }
  return { nodes, edges };
}

export function blocksOf(block: RowQueryBlock): RowQueryBlock[] {
  const inner = block.conditions
    .flatMap(leavesOf)
    .flatMap((leaf) => (leaf.kind === 'exists' ? blocksOf(leaf.block) : []));
  return [block, ...inner];
}

/** What a condition combines by `and`, `or` and `not`. */
function leavesOf(condition: Condition): readonly Condition[] {
  if (condition.kind === 'not') return leavesOf(condition.condition);
  return condition.kind === 'and' || condition.kind === 'or'
    ? condition.conditions.flatMap(leavesOf)
    : [condition];
}

export function conjuncts(conditions: readonly Condition[]): readonly Condition[] {
  if (!conditions.some(({ kind }) => kind === 'and')) return conditions;
  return conditions.flatMap((condition) =>
    condition.kind === 'and' ? conjuncts(condition.conditions) : [condition],
  );
}

export function textConditionsIn(conditions: readonly Condition[]): TextCondition[] {
  return conditions.flatMap(leavesOf).filter(isTextCondition);
}

export function isTextCondition(condition: Condition): condition is TextCondition {
  return condition.kind === 'search' || condition.kind === 'match_text' || condition.kind === 'fuzzy';
}

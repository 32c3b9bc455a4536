import type {
  Condition,
  Hop,
  NodeVariable,
  Operand,
  RowQuery,
  RowQueryBlock,
  TextCondition,
} from '../../row-query.js';

/** The variables of outer blocks that a condition uses. */
export function variablesOf(condition: Condition): ReadonlySet<string> {
  const found = new Set<string>();
  collectVariables(condition, found);
  return found;
}

function collectVariables(condition: Condition, found: Set<string>): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      for (const each of condition.conditions) collectVariables(each, found);
      return;
    case 'not':
      collectVariables(condition.condition, found);
      return;
    case 'compare':
      addOperand(condition.left, found);
      addOperand(condition.right, found);
      return;
    case 'same':
      found.add(condition.left);
      found.add(condition.right);
      return;
    case 'exists':
      for (const variable of outerVariables(condition.block)) found.add(variable);
      return;
    default:
      addOperand(condition.operand, found);
  }
}

function addOperand(operand: Operand, found: Set<string>): void {
  if (operand.kind === 'property') found.add(operand.variable);
}

function outerVariables(block: RowQueryBlock): Set<string> {
  const found = new Set<string>(block.hops.flatMap(({ from, to }) => [from, to]));
  for (const condition of block.conditions) collectVariables(condition, found);
  for (const own of [
    ...block.nodes.map(({ id }) => id),
    ...block.hops.flatMap(({ variable }) => variable ?? []),
  ])
    found.delete(own);
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

export function blocksOf(block: RowQueryBlock, found: RowQueryBlock[] = []): RowQueryBlock[] {
  found.push(block);
  for (const condition of block.conditions) addBlocks(condition, found);
  return found;
}

function addBlocks(condition: Condition, found: RowQueryBlock[]): void {
  if (condition.kind === 'exists') blocksOf(condition.block, found);
  else if (condition.kind === 'not') addBlocks(condition.condition, found);
  else if (condition.kind === 'and' || condition.kind === 'or')
    for (const each of condition.conditions) addBlocks(each, found);
}

export function conjuncts(conditions: readonly Condition[]): readonly Condition[] {
  if (!conditions.some(({ kind }) => kind === 'and')) return conditions;
  return conditions.flatMap((condition) =>
    condition.kind === 'and' ? conjuncts(condition.conditions) : [condition],
  );
}

/** The text conditions at any depth, but not inside blocks. */
export function textConditionsIn(
  conditions: readonly Condition[],
  found: TextCondition[] = [],
): TextCondition[] {
  for (const condition of conditions) {
    if (isTextCondition(condition)) found.push(condition);
    else if (condition.kind === 'and' || condition.kind === 'or')
      textConditionsIn(condition.conditions, found);
    else if (condition.kind === 'not') textConditionsIn([condition.condition], found);
  }
  return found;
}

export function isTextCondition(condition: Condition): condition is TextCondition {
  return condition.kind === 'search' || condition.kind === 'match_text' || condition.kind === 'fuzzy';
}

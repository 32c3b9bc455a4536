import type { PropertyOperand } from '../../../row-query.js';
import type { ReadContext } from '../../dialect.js';
import type { QueryVariables } from '../query-variables.js';

/** The same for operands that have the same texts; heads stay the same key when they move. */
export function propertyTextsKey(
  {
    lineage: { graph, levels, isNodeVisible },
    variables,
  }: Pick<ReadContext, 'lineage'> & { readonly variables: QueryVariables },
  { of, place, property, variable, type }: PropertyOperand,
): string {
  const types =
    of === 'node' ? (variables.nodes.get(variable)?.types ?? null) : variables.edges.get(variable)?.edge;
  const branches = levels.map(({ branch, seq, atHead }) => [branch, atHead ? 'head' : seq]);
  return JSON.stringify([
    graph,
    branches,
    isNodeVisible !== undefined,
    of,
    types,
    place,
    property,
    type === null,
  ]);
}

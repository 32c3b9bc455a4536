import type { Name } from '../../language/literal.js';
import { queryLimits } from '../../model/limits.js';
import type { Hop } from '../../store/row-query.js';
import type { Traversal } from '../query-ast.js';
import type { QueryScope, ScopedNode } from './query-scope.js';
import { describeNodeTypes, type EdgeInfo, intersectTypes, type NodeTypes } from './schema-names.js';

interface PendingTraversal {
  readonly traversal: Traversal;
  readonly source: ScopedNode;
  readonly destination: ScopedNode;
  readonly edge: EdgeInfo;
  readonly variable: string | null;
}

export function checkTraversals(
  traversals: readonly Traversal[],
  scope: QueryScope,
  track: <Result>(work: () => Result) => Result,
): readonly Hop[] {
  // Finding directions compares each with each, so only one more than allowed is checked.
  const waiting = traversals.slice(0, queryLimits.conditions + 1).flatMap((traversal) => {
    const pending = track(() => declareEndpoints(traversal, scope));
    return pending === undefined ? [] : [pending];
  });
  const hops = new Map<Traversal, Hop>();
  while (waiting.length > 0) {
    const [next] = waiting.splice(nextResolvable(waiting), 1);
    const hop = next && resolveDirection(next, scope);
    if (next !== undefined && hop !== undefined) hops.set(next.traversal, hop);
  }
  return traversals.flatMap((traversal) => hops.get(traversal) ?? []);
}

/**
 * Which traversal to resolve next, so that their order does not matter: one with a single possible direction determines the
 * types at its ends, which may settle others. If all are open, the first is followed from its source.
 */
function nextResolvable(waiting: readonly PendingTraversal[]): number {
  const clear = waiting.findIndex((pending) => {
    const { outward, inward } = possibleDirections(pending);
    return (
      outward === undefined || inward === undefined || JSON.stringify(outward) === JSON.stringify(inward)
    );
  });
  if (clear !== -1) return clear;
  const known = waiting.findIndex(
    ({ source, destination }) => source.types !== undefined || destination.types !== undefined,
  );
  return Math.max(known, 0);
}

function possibleDirections({ source, destination, edge }: PendingTraversal) {
  return {
    outward: narrowTypes(source, edge.from, destination, edge.to),
    inward: narrowTypes(source, edge.to, destination, edge.from),
  };
}

function declareEndpoints(traversal: Traversal, scope: QueryScope): PendingTraversal | undefined {
  const { errors, schemaNames } = scope.query;
  scope.query.countCondition(traversal.edge.at);
  const edge = schemaNames.edge(traversal.edge.text);
  if (edge === undefined) {
    errors.add(traversal.edge.at, 'unknown_edge', `There is no edge ${traversal.edge.text}.`, {
      meant: traversal.edge.text,
      among: schemaNames.edgeNames(),
    });
  }
  const source = resolveEndpoint(traversal.source, scope);
  const destination = resolveEndpoint(traversal.destination, scope);
  checkHops(traversal, edge, scope);
  const variable = edge === undefined ? null : declareEdgeVariable(traversal, edge, scope);
  if (edge === undefined || source === undefined || destination === undefined) {
    // Errors that follow from this one are not reported.
    for (const end of [source, destination]) if (end !== undefined) end.types ??= null;
    return undefined;
  }
  return { traversal, source, destination, edge, variable };
}

function resolveEndpoint(name: Name, scope: QueryScope): ScopedNode | undefined {
  const { errors, parameters, usedParameters } = scope.query;
  if (name.text === '_') return scope.declareNode(name, undefined);
  if (parameters.has(name.text)) {
    usedParameters.add(name.text);
    errors.add(
      name.at,
      'not_a_variable',
      `$${name.text} is a parameter, not a node; an edge cannot lead to it.`,
    );
    return undefined;
  }
  const variable = scope.reference(name.text);
  if (variable === undefined) return scope.declareNode(name, undefined);
  if (variable.kind === 'node') return variable;
  errors.add(name.at, 'not_a_node', `$${name.text} is an edge; a traversal leads from node to node.`);
  return undefined;
}

function declareEdgeVariable({ variable }: Traversal, edge: EdgeInfo, scope: QueryScope): string | null {
  if (variable === null) return null;
  const { errors, parameters } = scope.query;
  if (variable.text === '_') {
    errors.add(variable.at, 'anonymous', 'An edge does not need a variable; remove $_:.');
    return null;
  }
  if (parameters.has(variable.text)) {
    errors.add(variable.at, 'bound_twice', `$${variable.text} is already a parameter.`);
    return null;
  }
  if (scope.lookUp(variable.text) !== undefined) {
    errors.add(variable.at, 'bound_twice', `$${variable.text} is already defined.`);
    return null;
  }
  return scope.declareEdge(variable, edge).id;
}

function checkHops(traversal: Traversal, edge: EdgeInfo | undefined, scope: QueryScope): void {
  const { hops, variable, undirected, edge: name } = traversal;
  const { errors, warnings } = scope.query;
  if (hops !== null) {
    if (hops.min < 1 || hops.max < hops.min || hops.max > queryLimits.hops) {
      errors.add(
        hops.at,
        'out_of_range',
        `Hops are written {least,most} with 1 ≤ least ≤ most ≤ ${queryLimits.hops}.`,
      );
    } else if (variable !== null && hops.max > 1) {
      errors.add(
        hops.at,
        'single_hop',
        `$${variable.text}: names one edge, so there is one hop; remove {…}.`,
      );
    } else if (hops.max > 1 && edge !== undefined && intersectTypes(edge.from, edge.to)?.length === 0) {
      warnings.add(
        hops.at,
        'one_hop_only',
        `${edge.name} leads from ${describeNodeTypes(edge.from)} to ${describeNodeTypes(edge.to)}, so no second hop follows the first.`,
      );
    }
  }
  if (undirected && edge?.type != null && edge.type.from !== edge.type.to) {
    errors.add(
      name.at,
      'directed_edge',
      `${edge.name} leads from ${edge.type.from} to ${edge.type.to}; only an edge between nodes of one type is written <${name.text}>.`,
    );
  }
}

function resolveDirection(pending: PendingTraversal, scope: QueryScope): Hop | undefined {
  const { traversal, source, destination, edge, variable } = pending;
  const { outward, inward } = possibleDirections(pending);
  const { errors } = scope.query;
  const chosen = outward ?? inward;
  if (chosen === undefined) {
    errors.add(
      traversal.edge.at,
      'edge_mismatch',
      `${edge.name} leads from ${describeNodeTypes(edge.from)} to ${describeNodeTypes(edge.to)}, but $${source.name} is ${describeNodeTypes(source.types ?? null)} and $${destination.name} is ${describeNodeTypes(destination.types ?? null)}.`,
      { expected: [`${describeNodeTypes(edge.from)} -> ${describeNodeTypes(edge.to)}`] },
    );
    source.types ??= null;
    destination.types ??= null;
    return undefined;
  }
  // What an inner block finds out does not hold outside.
  if (scope.declares(source)) source.types = chosen.source;
  if (scope.declares(destination)) destination.types = chosen.destination;
  const { min, max } = traversal.hops ?? { min: 1, max: 1 };
  return {
    from: source.id,
    to: destination.id,
    edge: edge.name,
    direction: traversal.undirected ? 'both' : chosen === outward ? 'out' : 'in',
    min,
    max,
    variable,
  };
}

/** The types left for the ends if the source is at that end of the edge; undefined if none are. */
function narrowTypes(
  source: ScopedNode,
  sourceEnd: NodeTypes,
  destination: ScopedNode,
  destinationEnd: NodeTypes,
): { readonly source: NodeTypes; readonly destination: NodeTypes } | undefined {
  const from = intersectTypes(source.types ?? null, sourceEnd);
  const to = intersectTypes(destination.types ?? null, destinationEnd);
  if (from?.length === 0 || to?.length === 0) return undefined;
  return { source: from, destination: to };
}

import type { Name } from '../../language/literal.js';
import { queryLimits } from '../../model/limits.js';
import type { Hop } from '../../store/row-query.js';
import type { Traversal } from '../ast.js';
import type { NodeMeaning, Scope } from './scope.js';
import { commonTypes, type EdgeMeaning, type NodeTypes, typesText } from './vocabulary.js';

/** A traversal whose ends and edge are known; only its direction is not. */
interface Pending {
  readonly traversal: Traversal;
  readonly source: NodeMeaning;
  readonly destination: NodeMeaning;
  readonly edge: EdgeMeaning;
  readonly variable: string | null;
}

/** The traversals of a block, each with a direction in which its edge fits the nodes at its ends. */
export function checkTraversals(
  traversals: readonly Traversal[],
  scope: Scope,
  within: <Result>(work: () => Result) => Result,
): readonly Hop[] {
  // Finding directions compares each with each, so one too many is all that is looked at.
  const waiting = traversals.slice(0, queryLimits.conditions + 1).flatMap((traversal) => {
    const pending = within(() => declareEnds(traversal, scope));
    return pending === undefined ? [] : [pending];
  });
  const hops = new Map<Traversal, Hop>();
  while (waiting.length > 0) {
    const [next] = waiting.splice(clearest(waiting), 1);
    const hop = next && direct(next, scope);
    if (next !== undefined && hop !== undefined) hops.set(next.traversal, hop);
  }
  return traversals.flatMap((traversal) => hops.get(traversal) ?? []);
}

/**
 * Which traversal to look at next, so that their order means nothing: one that can only mean one thing tells what lies at
 * its ends, and may make others clear. Of those that stay open the first is taken from its source.
 */
function clearest(waiting: readonly Pending[]): number {
  const clear = waiting.findIndex((pending) => {
    const { outward, inward } = directions(pending);
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

/** What the ends are if the edge leads from the source to the destination, and if it leads the other way. */
function directions({ source, destination, edge }: Pending) {
  return {
    outward: typesLeft(source, edge.from, destination, edge.to),
    inward: typesLeft(source, edge.to, destination, edge.from),
  };
}

function declareEnds(traversal: Traversal, scope: Scope): Pending | undefined {
  const { errors, vocabulary } = scope.query;
  scope.query.countCondition(traversal.edge.at);
  const edge = vocabulary.edge(traversal.edge.text);
  if (edge === undefined) {
    errors.add(traversal.edge.at, 'unknown_edge', `There is no edge ${traversal.edge.text}.`, {
      meant: traversal.edge.text,
      among: vocabulary.edgeNames(),
    });
  }
  const source = endOf(traversal.source, scope);
  const destination = endOf(traversal.destination, scope);
  checkHops(traversal, edge, scope);
  const variable = edge === undefined ? null : edgeVariable(traversal, edge, scope);
  if (edge === undefined || source === undefined || destination === undefined) {
    // What follows from a mistake is not told again.
    for (const end of [source, destination]) if (end !== undefined) end.types ??= null;
    return undefined;
  }
  return { traversal, source, destination, edge, variable };
}

/** The node at an end of a traversal: one that is known, or a new one. */
function endOf(name: Name, scope: Scope): NodeMeaning | undefined {
  const { errors, parameters, usedParameters } = scope.query;
  if (name.text === '_') return scope.declareNode(name, undefined);
  if (parameters.has(name.text)) {
    usedParameters.add(name.text);
    errors.add(name.at, 'not_a_variable', `$${name.text} is a parameter: no edge leads to it.`);
    return undefined;
  }
  const variable = scope.find(name.text);
  if (variable === undefined) return scope.declareNode(name, undefined);
  if (variable.kind === 'node') return variable;
  errors.add(name.at, 'not_a_node', `$${name.text} is an edge: edges lead from node to node.`);
  return undefined;
}

function edgeVariable({ variable }: Traversal, edge: EdgeMeaning, scope: Scope): string | null {
  if (variable === null) return null;
  const { errors, parameters } = scope.query;
  if (variable.text === '_') {
    errors.add(
      variable.at,
      'anonymous',
      'An edge that nobody speaks of again needs no variable: leave $_: out.',
    );
    return null;
  }
  if (parameters.has(variable.text)) {
    errors.add(variable.at, 'bound_twice', `$${variable.text} is a parameter already.`);
    return null;
  }
  if (scope.lookUp(variable.text) !== undefined) {
    errors.add(variable.at, 'bound_twice', `$${variable.text} is bound already; a variable is bound once.`);
    return null;
  }
  return scope.declareEdge(variable, edge).id;
}

function checkHops(traversal: Traversal, edge: EdgeMeaning | undefined, scope: Scope): void {
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
        `$${variable.text}: means one edge, so there is one hop: leave {…} out.`,
      );
    } else if (hops.max > 1 && edge !== undefined && commonTypes(edge.from, edge.to)?.length === 0) {
      warnings.add(
        hops.at,
        'one_hop_only',
        `${edge.name} leads from ${typesText(edge.from)} to ${typesText(edge.to)}, so no second hop follows the first.`,
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

/** Finds the direction, and what it says about the nodes at the ends. */
function direct(pending: Pending, scope: Scope): Hop | undefined {
  const { traversal, source, destination, edge, variable } = pending;
  const { outward, inward } = directions(pending);
  const { errors } = scope.query;
  const chosen = outward ?? inward;
  if (chosen === undefined) {
    errors.add(
      traversal.edge.at,
      'edge_mismatch',
      `${edge.name} leads from ${typesText(edge.from)} to ${typesText(edge.to)}, but $${source.name} is ${typesText(source.types ?? null)} and $${destination.name} is ${typesText(destination.types ?? null)}.`,
      { expected: [`${typesText(edge.from)} -> ${typesText(edge.to)}`] },
    );
    source.types ??= null;
    destination.types ??= null;
    return undefined;
  }
  // What an inner block says does not hold outside of it.
  if (scope.isOwn(source)) source.types = chosen.source;
  if (scope.isOwn(destination)) destination.types = chosen.destination;
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

/** The types that are left for the ends if the source stands at one end of the edge; undefined if none are. */
function typesLeft(
  source: NodeMeaning,
  sourceEnd: NodeTypes,
  destination: NodeMeaning,
  destinationEnd: NodeTypes,
): { readonly source: NodeTypes; readonly destination: NodeTypes } | undefined {
  const from = commonTypes(source.types ?? null, sourceEnd);
  const to = commonTypes(destination.types ?? null, destinationEnd);
  if (from?.length === 0 || to?.length === 0) return undefined;
  return { source: from, destination: to };
}

import type { Hop, NodeVariable } from '../../store/row-query.js';
import type { BlockPredicate, Clause, NodeBinding, Predicate, Traversal } from '../query-ast.js';
import { checkCompare, checkPropertyValue } from './check-compare.js';
import { checkTextCondition, isTextFunction } from './check-text-condition.js';
import { checkTraversals } from './check-traversals.js';
import type { CheckedBlock, CheckedCondition } from './checked-query.js';
import type { ConnectedVariables } from './connected-variables.js';
import { QueryScope, type ScopedNode } from './query-scope.js';
import { resolveOperand, resolveProperty } from './resolve-operand.js';

/** Declares everything before checking anything, so the order of clauses does not matter. */
export function checkBlock(
  clauses: readonly Clause[],
  scope: QueryScope,
  connected: ConnectedVariables | null = null,
): CheckedBlock {
  const track = <Result>(work: () => Result): Result => (connected === null ? work() : connected.track(work));
  const bindings = clauses.filter((clause): clause is NodeBinding => clause.kind === 'binding');
  const traversals = clauses.filter((clause): clause is Traversal => clause.kind === 'traversal');
  const bound = new Map(bindings.map((binding) => [binding, track(() => declareBinding(binding, scope))]));
  const hops: readonly Hop[] = checkTraversals(traversals, scope, track);
  const conditions: CheckedCondition[] = [];
  for (const clause of clauses) {
    if (clause.kind === 'traversal') continue;
    const found = track(() => {
      if (clause.kind !== 'binding') return [checkPredicate(clause, scope)];
      const variable = bound.get(clause);
      return variable === undefined ? [] : checkBindingProperties(clause, variable, scope);
    });
    conditions.push(...found.filter((condition) => condition !== undefined));
  }
  return { nodes: nodeVariables(scope), hops, conditions };
}

function nodeVariables(scope: QueryScope): readonly NodeVariable[] {
  return scope.variables.flatMap((variable) =>
    variable.kind === 'node' ? [{ id: variable.id, types: variable.types ?? null }] : [],
  );
}

function declareBinding({ variable, type }: NodeBinding, scope: QueryScope): ScopedNode | undefined {
  const { errors, schemaNames, parameters } = scope.query;
  const types = schemaNames.nodeTypes(type.text);
  if (types === undefined) {
    const isEdge = schemaNames.edge(type.text) !== undefined;
    errors.add(
      type.at,
      'unknown_type',
      isEdge
        ? `${type.text} is an edge: write it between two variables, as in $a $w: ${lowerFirst(type.text)} $b.`
        : `There is no type ${type.text}.`,
      { meant: type.text, among: schemaNames.nodeTypeNames() },
    );
  }
  const isTaken = parameters.has(variable.text);
  if (isTaken) errors.add(variable.at, 'bound_twice', `$${variable.text} is already a parameter.`);
  if (variable.text !== '_' && scope.lookUp(variable.text) !== undefined) {
    errors.add(variable.at, 'bound_twice', `$${variable.text} is already defined.`);
    return undefined;
  }
  // Errors that follow from an unknown type are not reported.
  return scope.declareNode(variable, types ?? null, true);
}

function lowerFirst(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

function checkBindingProperties(
  { properties }: NodeBinding,
  variable: ScopedNode,
  scope: QueryScope,
): CheckedCondition[] {
  const seen = new Set<string>();
  scope.query.referenced.add(variable);
  return properties.flatMap(({ name, at, value }) => {
    if (!scope.query.countCondition(at)) return [];
    if (seen.has(name)) scope.query.errors.add(at, 'named_twice', `${name} is given twice.`);
    seen.add(name);
    const property = resolveProperty(variable, name, at, scope);
    const condition = property && checkPropertyValue(property, value, at, scope);
    return condition === undefined ? [] : [condition];
  });
}

export function checkPredicate(predicate: Predicate, scope: QueryScope): CheckedCondition | undefined {
  if (!scope.query.countCondition(predicate.at)) return undefined;
  switch (predicate.kind) {
    case 'compare':
      return checkCompare(predicate, scope);
    case 'is-null':
      return checkNull(predicate, scope);
    case 'and':
    case 'or': {
      const conditions = predicate.predicates.map((part) => checkPredicate(part, scope));
      const known = conditions.filter((condition) => condition !== undefined);
      return known.length === conditions.length ? { kind: predicate.kind, conditions: known } : undefined;
    }
    case 'not': {
      const condition = checkPredicate(predicate.predicate, scope);
      return condition && { kind: 'not', condition };
    }
    case 'block':
      return checkInnerBlock(predicate, scope);
    case 'call':
      if (isTextFunction(predicate.name)) return checkTextCondition(predicate.name, predicate, scope);
      resolveOperand(predicate, scope);
      if (predicate.name === 'now') {
        scope.query.errors.add(predicate.at, 'misplaced', 'now() is a value; compare it with something.');
      }
      return undefined;
  }
}

function checkNull(
  { operand, negated }: Predicate & { kind: 'is-null' },
  scope: QueryScope,
): CheckedCondition | undefined {
  const resolved = resolveOperand(operand, scope);
  if (resolved === undefined) return undefined;
  if (resolved.kind === 'property') return { kind: 'is-null', operand: resolved.operand, negated };
  if (resolved.kind === 'constant') return { kind: 'is-null', operand: resolved.constant, negated };
  scope.query.errors.add(operand.at, 'never_null', 'Only a property or a parameter can be null.');
  return undefined;
}

/** `exists { … }` or `not { … }`; its variables are its own. */
function checkInnerBlock(
  { at, negated, clauses }: BlockPredicate,
  scope: QueryScope,
): CheckedCondition | undefined {
  if (scope.row !== null) {
    scope.query.errors.add(
      at,
      'misplaced',
      'The where clause of a mutation can only use properties of the row.',
    );
    return undefined;
  }
  const inner = new QueryScope(scope.query, scope);
  const block = checkBlock(clauses, inner);
  warnUnusedVariables(inner, (variable) => !variable.isBound);
  if (negated && inner.outerReferences.size === 0) {
    scope.query.errors.add(
      at,
      'not_correlated',
      'not { … } must use a variable from outside the block; otherwise it is true for all rows or for none.',
    );
  }
  return { kind: 'exists', block, negated };
}

export function warnUnusedVariables(
  scope: QueryScope,
  concerns: (variable: ScopedNode) => boolean = () => true,
): void {
  for (const variable of scope.variables) {
    if (variable.kind === 'edge' || variable.name === '_' || variable.mentions > 1) continue;
    if (!concerns(variable)) continue;
    const advice = variable.isBound ? 'it only multiplies the rows' : 'write $_ where no name is needed';
    scope.query.warnings.add(variable.at, 'unused_variable', `$${variable.name} is never used; ${advice}.`);
  }
}

import type { Hop, NodeVariable } from '../../store/row-query.js';
import type { Binding, BlockPredicate, Clause, Predicate, Traversal } from '../ast.js';
import type { CheckedBlock, CheckedCondition } from './checked-query.js';
import { checkCompare, checkHas } from './compare.js';
import { propertyOf, resolve } from './operands.js';
import { type NodeMeaning, Scope } from './scope.js';
import { checkText, isTextFunction } from './text-condition.js';
import type { Ties } from './ties.js';
import { checkTraversals } from './traversal.js';

/** The clauses of a block. What they declare is known before any of them is checked, so their order means nothing. */
export function checkBlock(clauses: readonly Clause[], scope: Scope, ties: Ties | null = null): CheckedBlock {
  const within = <Result>(work: () => Result): Result => (ties === null ? work() : ties.within(work));
  const bindings = clauses.filter((clause): clause is Binding => clause.kind === 'binding');
  const traversals = clauses.filter((clause): clause is Traversal => clause.kind === 'traversal');
  const bound = new Map(bindings.map((binding) => [binding, within(() => declare(binding, scope))]));
  const hops: readonly Hop[] = checkTraversals(traversals, scope, within);
  const conditions: CheckedCondition[] = [];
  for (const clause of clauses) {
    if (clause.kind === 'traversal') continue;
    const found = within(() => {
      if (clause.kind !== 'binding') return [checkPredicate(clause, scope)];
      const variable = bound.get(clause);
      return variable === undefined ? [] : propertiesOf(clause, variable, scope);
    });
    conditions.push(...found.filter((condition) => condition !== undefined));
  }
  return { nodes: nodesOf(scope), hops, conditions };
}

function nodesOf(scope: Scope): readonly NodeVariable[] {
  return scope.own.flatMap((variable) =>
    variable.kind === 'node' ? [{ id: variable.id, types: variable.types ?? null }] : [],
  );
}

function declare({ variable, type }: Binding, scope: Scope): NodeMeaning | undefined {
  const { errors, vocabulary, parameters } = scope.query;
  const types = vocabulary.nodeTypes(type.text);
  if (types === undefined) {
    const isEdge = vocabulary.edge(type.text) !== undefined;
    errors.add(
      type.at,
      'unknown_type',
      isEdge
        ? `${type.text} is an edge: write it between two variables, as in $a $w: ${edgeText(type.text)} $b.`
        : `There is no type ${type.text}.`,
      { meant: type.text, among: vocabulary.nodeTypeNames() },
    );
  }
  const isTaken = parameters.has(variable.text);
  if (isTaken) errors.add(variable.at, 'bound_twice', `$${variable.text} is a parameter already.`);
  if (variable.text !== '_' && scope.lookUp(variable.text) !== undefined) {
    errors.add(variable.at, 'bound_twice', `$${variable.text} is bound already; a variable is bound once.`);
    return undefined;
  }
  // A type that is unknown is told once; what follows from it is not.
  return scope.declareNode(variable, types ?? null, true);
}

function edgeText(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

function propertiesOf({ properties }: Binding, variable: NodeMeaning, scope: Scope): CheckedCondition[] {
  const seen = new Set<string>();
  scope.query.mentioned.add(variable);
  return properties.flatMap(({ name, at, value }) => {
    if (!scope.query.countCondition(at)) return [];
    if (seen.has(name)) scope.query.errors.add(at, 'named_twice', `${name} stands here twice.`);
    seen.add(name);
    const property = propertyOf(variable, name, at, scope);
    const condition = property && checkHas(property, value, at, scope);
    return condition === undefined ? [] : [condition];
  });
}

/** Something that holds or does not. */
export function checkPredicate(predicate: Predicate, scope: Scope): CheckedCondition | undefined {
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
      if (isTextFunction(predicate.name)) return checkText(predicate.name, predicate, scope);
      resolve(predicate, scope);
      if (predicate.name === 'now') {
        scope.query.errors.add(predicate.at, 'misplaced', 'now() is a value; compare it with something.');
      }
      return undefined;
  }
}

function checkNull(
  { operand, negated }: Predicate & { kind: 'is-null' },
  scope: Scope,
): CheckedCondition | undefined {
  const resolved = resolve(operand, scope);
  if (resolved === undefined) return undefined;
  if (resolved.kind === 'property') return { kind: 'is-null', operand: resolved.operand, negated };
  if (resolved.kind === 'constant') return { kind: 'is-null', operand: resolved.constant, negated };
  scope.query.errors.add(operand.at, 'never_null', 'Only a property or a parameter can be null.');
  return undefined;
}

/** `exists { … }` or `not { … }`, whose names are its own. */
function checkInnerBlock(
  { at, negated, clauses }: BlockPredicate,
  scope: Scope,
): CheckedCondition | undefined {
  if (scope.row !== null) {
    scope.query.errors.add(
      at,
      'misplaced',
      'What a mutation asks for is told by properties of the row alone.',
    );
    return undefined;
  }
  const inner = new Scope(scope.query, scope);
  const block = checkBlock(clauses, inner);
  warnOfUnused(inner, (variable) => !variable.isBound);
  if (negated && inner.outerMentions.size === 0) {
    scope.query.errors.add(
      at,
      'not_correlated',
      'not { … } must mention a variable from outside of it, or it is true of all rows or of none.',
    );
  }
  return { kind: 'exists', block, negated };
}

/** Warns of nodes that are named and never spoken of again. */
export function warnOfUnused(scope: Scope, concerns: (variable: NodeMeaning) => boolean = () => true): void {
  for (const variable of scope.own) {
    if (variable.kind === 'edge' || variable.name === '_' || variable.mentions > 1) continue;
    if (!concerns(variable)) continue;
    const advice = variable.isBound ? 'it only multiplies the rows' : 'write $_ where no name is needed';
    scope.query.warnings.add(variable.at, 'unused_variable', `$${variable.name} is never used; ${advice}.`);
  }
}

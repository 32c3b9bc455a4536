import { formatValueType } from '../../language/format-value-type.js';
import type { Name } from '../../language/literal.js';
import { queryLimits } from '../../model/limits.js';
import type { ValueType } from '../../model/value-type.js';
import type { Hop, NodeVariable } from '../../store/row-query.js';
import { printExpression } from '../print-expression.js';
import type {
  AggregateBlock,
  Clause,
  NodeBinding,
  QueryExpression,
  TestedBlock,
  Traversal,
} from '../query-ast.js';
import { aggregatedOperand, isAggregable } from './aggregated-operand.js';
import { checkCompare, checkPropertyValue } from './check-compare.js';
import { checkTextCondition } from './check-text-condition.js';
import { checkTraversals } from './check-traversals.js';
import type { CheckedBlock, CheckedCondition, CheckedOperand, ComputedOperand } from './checked-query.js';
import type { ConnectedVariables } from './connected-variables.js';
import { QueryScope, type ScopedNode, type ScopedVariable } from './query-scope.js';
import { isTextFunction, reportNotConstant, resolveOperand, resolveProperty } from './resolve-operand.js';
import { describeNodeTypes, intersectTypes, type NodeTypes } from './schema-names.js';
import { isBoolType } from './type-rules.js';

const bool: ValueType = { kind: 'scalar', scalar: 'Bool', nullable: false };
const integer: ValueType = { kind: 'scalar', scalar: 'I64', nullable: false };
const float: ValueType = { kind: 'scalar', scalar: 'F64', nullable: false };

/** Declares everything before checking anything, so the order of clauses does not matter. */
export function checkBlock(
  clauses: readonly Clause[],
  scope: QueryScope,
  connected: ConnectedVariables | null = null,
): CheckedBlock {
  const track = <Result>(work: () => Result): Result => (connected === null ? work() : connected.track(work));
  const bindings = clauses.filter((clause): clause is NodeBinding => clause.kind === 'binding');
  const traversals = clauses.filter((clause): clause is Traversal => clause.kind === 'traversal');
  const conditions: CheckedCondition[] = [];
  const bound = new Map(
    bindings.map((binding) => [binding, track(() => declareBinding(binding, scope, conditions))]),
  );
  const hops: readonly Hop[] = checkTraversals(traversals, scope, track);
  for (const clause of clauses) {
    if (clause.kind === 'traversal') continue;
    const found = track(() => {
      if (clause.kind !== 'binding') return [checkCondition(clause, scope)];
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

function declareBinding(
  { variable, type }: NodeBinding,
  scope: QueryScope,
  conditions: CheckedCondition[],
): ScopedNode | undefined {
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
  const known = variable.text === '_' ? undefined : scope.reference(variable.text);
  if (known !== undefined) return rebind(known, variable, types ?? null, scope, conditions);
  // Errors that follow from an unknown type are not reported.
  return scope.declareNode(variable, types ?? null, true);
}

/** A variable that is bound again means the same node. */
function rebind(
  known: ScopedVariable,
  name: Name,
  types: NodeTypes,
  scope: QueryScope,
  conditions: CheckedCondition[],
): ScopedNode | undefined {
  const { errors } = scope.query;
  if (known.kind === 'edge') {
    errors.add(name.at, 'bound_twice', `$${name.text} is already an edge; give the node another name.`);
    return undefined;
  }
  const common = intersectTypes(known.types ?? null, types);
  if (common?.length === 0) {
    errors.add(
      name.at,
      'type_mismatch',
      `$${name.text} is ${describeNodeTypes(known.types ?? null)} already, so it can never be ${describeNodeTypes(types)}; give this node another name.`,
    );
    return undefined;
  }
  if (scope.declares(known)) known.types = common;
  const isNarrower = known.types !== undefined && common?.length !== known.types?.length;
  if (scope.declares(known) || !isNarrower) return known;
  // What an inner block finds out does not hold outside, so it has a node of its own that is the same.
  const own = scope.declareNode(name, common, true);
  own.mentions += 1;
  conditions.push({ kind: 'same', of: 'node', left: known.id, right: own.id });
  return own;
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

/** A condition: true, false or, if something is null, unknown. */
export function checkCondition(expression: QueryExpression, scope: QueryScope): CheckedCondition | undefined {
  if (!scope.query.countCondition(expression.at)) return undefined;
  switch (expression.kind) {
    case 'compare':
      return checkCompare(expression, scope);
    case 'is-null':
      return checkNull(expression, scope);
    case 'and':
    case 'or': {
      const conditions = expression.predicates.map((part) => checkCondition(part, scope));
      const known = conditions.filter((condition) => condition !== undefined);
      return known.length === conditions.length ? { kind: expression.kind, conditions: known } : undefined;
    }
    case 'not': {
      const condition = checkCondition(expression.predicate, scope);
      return condition && { kind: 'not', condition };
    }
    case 'block':
      return checkTestedBlock(expression, scope);
    case 'call':
      if (isTextFunction(expression.name)) return checkTextCondition(expression.name, expression, scope);
      return checkTrue(expression, scope);
    default:
      return checkTrue(expression, scope);
  }
}

/** A value that is a condition by itself: `$p.enabled` means `$p.enabled = true`. */
function checkTrue(expression: QueryExpression, scope: QueryScope): CheckedCondition | undefined {
  const resolved = resolveOperand(expression, scope);
  if (resolved === undefined) return undefined;
  const { errors } = scope.query;
  const text = shortText(printExpression(expression));
  if (resolved.kind === 'variable') {
    const { kind, name } = resolved.variable;
    errors.add(
      expression.at,
      'not_a_condition',
      `$${name} is ${kind === 'node' ? 'a node' : 'an edge'}, not a condition; use one of its properties, as in $${name}.name = "…".`,
    );
    return undefined;
  }
  const operand = aggregatedOperand(resolved, scope);
  if (operand === undefined) return undefined;
  if (operand.type !== null && !isBoolType(operand.type)) {
    const type = formatValueType({ ...operand.type, nullable: false });
    errors.add(
      expression.at,
      'not_a_condition',
      `${text} is ${type}, but a condition is Bool; compare it with something.`,
      { expected: ['Bool'] },
    );
    return undefined;
  }
  const yes: CheckedOperand = { kind: 'literal', value: true, type: bool };
  return { kind: 'compare', operator: '=', left: operand, right: yes };
}

function shortText(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57).toWellFormed()}…` : text;
}

function checkNull(
  { operand, negated }: QueryExpression & { kind: 'is-null' },
  scope: QueryScope,
): CheckedCondition | undefined {
  const resolved = resolveOperand(operand, scope);
  if (resolved === undefined) return undefined;
  if (resolved.kind === 'constant') return { kind: 'is-null', operand: resolved.constant, negated };
  if (resolved.kind === 'property' || resolved.kind === 'computed')
    return { kind: 'is-null', operand: resolved.operand, negated };
  scope.query.errors.add(operand.at, 'never_null', 'Only a property or a parameter can be null.');
  return undefined;
}

/** `exists { … }` or `not { … }`. */
function checkTestedBlock(
  { at, negated, clauses }: TestedBlock,
  scope: QueryScope,
): CheckedCondition | undefined {
  const inner = innerScope(at, scope);
  if (inner === undefined) return undefined;
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

/** The scope of an inner block, whose variables are its own. */
function innerScope(at: number, scope: QueryScope, aggregates = scope.aggregates): QueryScope | undefined {
  if (scope.constantsOnly) return reportNotConstant(at, 'A block', scope);
  if (scope.row === null) return new QueryScope(scope.query, scope, { aggregates });
  scope.query.errors.add(
    at,
    'misplaced',
    'The where clause of a mutation can only use properties of the row.',
  );
  return undefined;
}

/** `count { … }` or `sum($p.size) { … }`. */
export function checkAggregateBlock(
  { at, fn, of: argument, clauses }: AggregateBlock,
  scope: QueryScope,
): ComputedOperand | undefined {
  const { errors } = scope.query;
  const inner = innerScope(at, scope, scope.aggregates + 1);
  if (inner === undefined) return undefined;
  if (inner.aggregates > queryLimits.nestedAggregates) {
    errors.add(at, 'too_deep', `Aggregate blocks are nested at most ${queryLimits.nestedAggregates} deep.`);
    return undefined;
  }
  const block = checkBlock(clauses, inner);
  const resolved = argument === null ? null : resolveOperand(argument, inner);
  warnUnusedVariables(inner, (variable) => !variable.isBound && fn !== 'count');
  if (argument === null || resolved === null)
    return { kind: 'block-aggregate', fn, of: null, block, type: integer };
  if (resolved === undefined) return undefined;
  if (resolved.kind === 'variable') {
    errors.add(argument.at, 'type_mismatch', `${fn} takes a property; to count matches, write count { … }.`);
    return undefined;
  }
  const of = aggregatedOperand(resolved, inner);
  if (of === undefined || !isAggregable(fn, of, argument.at, inner)) return undefined;
  const isExtreme = fn === 'min' || fn === 'max';
  // Over no matches, a sum is 0 and the others are null.
  const type = isExtreme ? of.type && { ...of.type, nullable: true } : { ...float, nullable: fn === 'avg' };
  return { kind: 'block-aggregate', fn, of, block, type };
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

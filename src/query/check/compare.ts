import { formatValueType } from '../../language/format-value-type.js';
import type { ValueType } from '../../model/value-type.js';
import type { Expression, Operator, Predicate } from '../ast.js';
import type { CheckedCondition, CheckedOperand } from './checked-query.js';
import { literalConstant, naturalType } from './literal-constant.js';
import { type Resolved, resolve, typeOf } from './operands.js';
import type { Scope, Variable } from './scope.js';
import { areComparable, isOrdered, isString, itemType } from './type-rules.js';
import { commonTypes, typesText } from './vocabulary.js';

type Valued = Exclude<Resolved, { kind: 'variable' }>;

/** One side of a comparison, and where it stands. */
interface Side {
  readonly at: number;
  readonly resolved: Valued;
}

const text: ValueType = { kind: 'scalar', scalar: 'String', nullable: false };

/** A comparison whose two sides fit each other and the operator. */
export function checkCompare(
  { at, operator, left, right }: Predicate & { kind: 'compare' },
  scope: Scope,
): CheckedCondition | undefined {
  const a = resolve(left, scope);
  const b = resolve(right, scope);
  if (a === undefined || b === undefined) return undefined;
  if (a.kind === 'variable' && b.kind === 'variable') {
    return checkSame(operator, at, a.variable, b.variable, scope);
  }
  if (a.kind === 'variable') return wholeCompared(left, a.variable, scope);
  if (b.kind === 'variable') return wholeCompared(right, b.variable, scope);
  return compareValues(operator, { at: left.at, resolved: a }, { at: right.at, resolved: b }, scope);
}

/** `$a = $b`: that both are the same node. */
function checkSame(
  operator: Operator,
  at: number,
  a: Variable,
  b: Variable,
  { query: { errors } }: Scope,
): CheckedCondition | undefined {
  const fits =
    a.kind === 'node' && b.kind === 'node'
      ? commonTypes(a.types ?? null, b.types ?? null)?.length !== 0
      : a.kind === 'edge' && b.kind === 'edge' && a.edge.name === b.edge.name;
  if (operator !== '=' && operator !== '!=') {
    errors.add(at, 'bad_operator', `Whole nodes and edges are compared with = or !=, not with ${operator}.`, {
      expected: ['=', '!='],
    });
    return undefined;
  }
  if (!fits) {
    errors.add(
      at,
      'type_mismatch',
      `$${a.name} is ${variableText(a)} and $${b.name} ${variableText(b)}: they are never the same.`,
    );
    return undefined;
  }
  const same: CheckedCondition = { kind: 'same', of: a.kind, left: a.id, right: b.id };
  return operator === '=' ? same : { kind: 'not', condition: same };
}

function variableText(variable: Variable): string {
  return variable.kind === 'node' ? typesText(variable.types ?? null) : `an edge ${variable.edge.name}`;
}

function wholeCompared(expression: Expression, variable: Variable, scope: Scope): undefined {
  const what = variable.kind === 'node' ? 'a node' : 'an edge';
  scope.query.errors.add(
    expression.at,
    'type_mismatch',
    `$${variable.name} is ${what}: compare one of its properties, such as $${variable.name}.${exampleProperty(variable, scope)}.`,
  );
  return undefined;
}

function exampleProperty(variable: Variable, { query: { vocabulary } }: Scope): string {
  const names =
    variable.kind === 'node'
      ? vocabulary.nodePropertyNames(variable.types ?? null)
      : vocabulary.edgePropertyNames(variable.edge);
  return names[0] ?? 'name';
}

/** That a property has a value, as `{ property: value }` says it: of a list, that it is one of its items. */
export function checkHas(
  property: Resolved & { kind: 'property' },
  value: Expression,
  at: number,
  scope: Scope,
): CheckedCondition | undefined {
  const resolved = resolve(value, scope);
  if (resolved === undefined) return undefined;
  if (resolved.kind === 'variable') return wholeCompared(value, resolved.variable, scope);
  const operator = property.operand.type?.kind === 'list' ? 'contains' : '=';
  return compareValues(operator, { at, resolved: property }, { at: value.at, resolved }, scope);
}

function compareValues(
  operator: Operator,
  left: Side,
  right: Side,
  scope: Scope,
): CheckedCondition | undefined {
  const sides =
    operator === 'in'
      ? memberSides(right, left, scope)?.reverse()
      : operator === 'contains'
        ? containsSides(left, right, scope)
        : operator === 'starts_with'
          ? stringSides(operator, left, right, scope)
          : equalSides(operator, left, right, scope);
  const [a, b] = sides ?? [];
  if (a === undefined || b === undefined) return undefined;
  return { kind: 'compare', operator, left: a, right: b };
}

type Sides = [CheckedOperand, CheckedOperand];

function knownType({ resolved }: Side): ValueType | null | undefined {
  return resolved.kind === 'literal' ? naturalType(resolved.literal) : typeOf(resolved);
}

/** A side as a value that is compared with values of a type. */
function operandFor(side: Side, type: ValueType | null, scope: Scope): CheckedOperand | undefined {
  const { resolved } = side;
  if (resolved.kind === 'property') return resolved.operand;
  if (resolved.kind === 'constant') return resolved.constant;
  const { literal } = resolved;
  // 2.5 is no whole number, but whole numbers are more or less than it.
  const natural = naturalType(literal);
  const isFraction =
    literal.kind === 'number' &&
    type !== null &&
    natural?.kind === 'scalar' &&
    natural.scalar === 'F64' &&
    areComparable(natural, type);
  return literalConstant(scope.query, literal, isFraction ? null : type);
}

/** Two sides that are compared as they are. */
function equalSides(operator: Operator, left: Side, right: Side, scope: Scope): Sides | undefined {
  const { errors } = scope.query;
  const leftType = knownType(left) ?? null;
  const rightType = knownType(right) ?? null;
  for (const [side, type] of [
    [left, leftType],
    [right, rightType],
  ] as const) {
    const problem = type === null ? undefined : operatorProblem(operator, type);
    if (problem !== undefined) {
      errors.add(side.at, 'bad_operator', problem);
      return undefined;
    }
  }
  const typedBy = left.resolved.kind === 'literal' ? rightType : leftType;
  const a = operandFor(left, left.resolved.kind === 'literal' ? typedBy : null, scope);
  const b = operandFor(right, right.resolved.kind === 'literal' ? typedBy : null, scope);
  if (a === undefined || b === undefined) return undefined;
  if (a.type !== null && b.type !== null && !areComparable(a.type, b.type)) {
    mismatch(right, a.type, b.type, scope);
    return undefined;
  }
  return [a, b];
}

function operatorProblem(operator: Operator, type: ValueType): string | undefined {
  if (type.kind === 'list') return `A list is asked with contains, not with ${operator}.`;
  if (type.kind === 'vector') return `A vector is ranked with nearest(…), not compared with ${operator}.`;
  if (operator === '=' || operator === '!=' || isOrdered(type)) return undefined;
  return `Values of ${formatValueType({ ...type, nullable: false })} have no order; compare them with = or !=.`;
}

function mismatch(side: Side, expected: ValueType, found: ValueType, { query }: Scope): void {
  const wanted = formatValueType({ ...expected, nullable: false });
  query.errors.add(
    side.at,
    'type_mismatch',
    `Expected ${wanted}, but this is ${formatValueType({ ...found, nullable: false })}.`,
    { expected: [wanted] },
  );
}

/** A list, and what may be one of its items. */
function memberSides(list: Side, item: Side, scope: Scope): Sides | undefined {
  const listType = knownType(list);
  if (listType !== null && listType !== undefined && listType.kind !== 'list') {
    scope.query.errors.add(
      list.at,
      'type_mismatch',
      `Expected a list, but this is ${formatValueType({ ...listType, nullable: false })}.`,
      { expected: ['a list'] },
    );
    return undefined;
  }
  const known = item.resolved.kind === 'literal' ? null : typeOf(item.resolved);
  const literalList = list.resolved.kind === 'literal' && list.resolved.literal.kind === 'list';
  const a =
    literalList && list.resolved.kind === 'literal' && known !== null
      ? listOf(list, known, scope)
      : operandFor(list, null, scope);
  if (a === undefined) return undefined;
  const itemsType = a.type === null ? null : (itemType(a.type) ?? null);
  const b = operandFor(item, itemsType, scope);
  if (b === undefined) return undefined;
  if (itemsType !== null && b.type !== null && !areComparable(itemsType, b.type)) {
    mismatch(item, itemsType, b.type, scope);
    return undefined;
  }
  return [a, b];
}

/** A list literal whose every item is compared with a value of a type. */
function listOf(list: Side, type: ValueType, scope: Scope): CheckedOperand | undefined {
  if (list.resolved.kind !== 'literal' || list.resolved.literal.kind !== 'list') return undefined;
  if (type.kind === 'list' || type.kind === 'vector') {
    scope.query.errors.add(
      list.at,
      'type_mismatch',
      'Only single values are in a list; ask a list with contains.',
    );
    return undefined;
  }
  const { literal } = list.resolved;
  if (type.kind === 'scalar') {
    const natural = naturalType(literal);
    const isFractions = natural?.kind === 'list' && natural.of === 'F64' && literal.items.length > 0;
    const of = isFractions && areComparable(type, { ...type, scalar: 'F64' }) ? 'F64' : type.scalar;
    return literalConstant(scope.query, literal, { kind: 'list', of, nullable: false });
  }
  // Each is held against the values of the enum.
  const items = literal.items.map((item) => literalConstant(scope.query, item, type));
  if (items.includes(undefined)) return undefined;
  return literalConstant(scope.query, literal, { kind: 'list', of: 'String', nullable: false });
}

function containsSides(left: Side, right: Side, scope: Scope): Sides | undefined {
  const type = knownType(left);
  if (type !== null && type !== undefined && type.kind === 'list') return memberSides(left, right, scope);
  if (type === null) {
    const a = operandFor(left, null, scope);
    const b = operandFor(right, null, scope);
    return a && b && [a, b];
  }
  return stringSides('contains', left, right, scope);
}

function stringSides(operator: Operator, left: Side, right: Side, scope: Scope): Sides | undefined {
  for (const side of [left, right]) {
    const type = knownType(side);
    if (type !== null && type !== undefined && !isString(type)) {
      const expected = operator === 'contains' && side === left ? ['String', 'a list'] : ['String'];
      scope.query.errors.add(
        side.at,
        'type_mismatch',
        `${operator} takes ${expected.join(' or ')}, but this is ${formatValueType({ ...type, nullable: false })}.`,
        { expected },
      );
      return undefined;
    }
  }
  const a = operandFor(left, text, scope);
  const b = operandFor(right, text, scope);
  return a && b && [a, b];
}

import { formatValueType } from '../../language/format-value-type.js';
import type { ValueType } from '../../model/value-type.js';
import type { ComparisonExpression, Operator, QueryExpression } from '../query-ast.js';
import type { CheckedCondition, CheckedOperand } from './checked-query.js';
import { inferLiteralType, literalConstant } from './literal-constant.js';
import type { QueryScope, ScopedVariable } from './query-scope.js';
import { operandType, type ResolvedOperand, resolveOperand } from './resolve-operand.js';
import { describeNodeTypes, intersectTypes } from './schema-names.js';
import { areComparable, isOrderedType, isStringType, itemType } from './type-rules.js';

type ResolvedValue = Exclude<ResolvedOperand, { kind: 'variable' }>;

interface ComparisonSide {
  readonly at: number;
  readonly resolved: ResolvedValue;
}

const text: ValueType = { kind: 'scalar', scalar: 'String', nullable: false };

export function checkCompare(
  { at, operator, left, right }: ComparisonExpression,
  scope: QueryScope,
): CheckedCondition | undefined {
  const a = resolveOperand(left, scope);
  const b = resolveOperand(right, scope);
  if (a === undefined || b === undefined) return undefined;
  if (a.kind === 'variable' && b.kind === 'variable') {
    return checkSame(operator, at, a.variable, b.variable, scope);
  }
  if (a.kind === 'variable') return reportWholeCompared(left, a.variable, scope);
  if (b.kind === 'variable') return reportWholeCompared(right, b.variable, scope);
  return compareValues(operator, { at: left.at, resolved: a }, { at: right.at, resolved: b }, scope);
}

function checkSame(
  operator: Operator,
  at: number,
  a: ScopedVariable,
  b: ScopedVariable,
  { query: { errors } }: QueryScope,
): CheckedCondition | undefined {
  const fits =
    a.kind === 'node' && b.kind === 'node'
      ? intersectTypes(a.types ?? null, b.types ?? null)?.length !== 0
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
      `$${a.name} is ${variableText(a)} and $${b.name} ${variableText(b)}: they can never be the same.`,
    );
    return undefined;
  }
  const same: CheckedCondition = { kind: 'same', of: a.kind, left: a.id, right: b.id };
  return operator === '=' ? same : { kind: 'not', condition: same };
}

function variableText(variable: ScopedVariable): string {
  return variable.kind === 'node'
    ? describeNodeTypes(variable.types ?? null)
    : `an edge ${variable.edge.name}`;
}

function reportWholeCompared(
  expression: QueryExpression,
  variable: ScopedVariable,
  scope: QueryScope,
): undefined {
  const what = variable.kind === 'node' ? 'a node' : 'an edge';
  scope.query.errors.add(
    expression.at,
    'type_mismatch',
    `$${variable.name} is ${what}; compare one of its properties, such as $${variable.name}.${exampleProperty(variable, scope)}.`,
  );
  return undefined;
}

function exampleProperty(variable: ScopedVariable, { query: { schemaNames } }: QueryScope): string {
  const names =
    variable.kind === 'node'
      ? schemaNames.nodePropertyNames(variable.types ?? null)
      : schemaNames.edgePropertyNames(variable.edge);
  return names[0] ?? 'name';
}

/** `{ property: value }`: the property equals the value, or, if it is a list, contains it. */
export function checkPropertyValue(
  property: ResolvedOperand & { kind: 'property' },
  value: QueryExpression,
  at: number,
  scope: QueryScope,
): CheckedCondition | undefined {
  const resolved = resolveOperand(value, scope);
  if (resolved === undefined) return undefined;
  if (resolved.kind === 'variable') return reportWholeCompared(value, resolved.variable, scope);
  const operator = property.operand.type?.kind === 'list' ? 'contains' : '=';
  return compareValues(operator, { at, resolved: property }, { at: value.at, resolved }, scope);
}

function compareValues(
  operator: Operator,
  left: ComparisonSide,
  right: ComparisonSide,
  scope: QueryScope,
): CheckedCondition | undefined {
  const sides =
    operator === 'in'
      ? listOperands(right, left, scope)?.reverse()
      : operator === 'contains'
        ? containsOperands(left, right, scope)
        : operator === 'starts_with'
          ? stringOperands(operator, left, right, scope)
          : comparableOperands(operator, left, right, scope);
  const [a, b] = sides ?? [];
  if (a === undefined || b === undefined) return undefined;
  return { kind: 'compare', operator, left: a, right: b };
}

type OperandPair = [CheckedOperand, CheckedOperand];

function knownType({ resolved }: ComparisonSide): ValueType | null | undefined {
  return resolved.kind === 'literal' ? inferLiteralType(resolved.literal) : operandType(resolved);
}

function operandFor(
  side: ComparisonSide,
  type: ValueType | null,
  scope: QueryScope,
): CheckedOperand | undefined {
  const { resolved } = side;
  if (resolved.kind === 'constant') return resolved.constant;
  if (resolved.kind !== 'literal') return resolved.operand;
  const { literal } = resolved;
  // 2.5 is not an integer, but integers can be compared with it.
  const natural = inferLiteralType(literal);
  const isFraction =
    literal.kind === 'number' &&
    type !== null &&
    natural?.kind === 'scalar' &&
    natural.scalar === 'F64' &&
    areComparable(natural, type);
  return literalConstant(scope.query, literal, isFraction ? null : type);
}

function comparableOperands(
  operator: Operator,
  left: ComparisonSide,
  right: ComparisonSide,
  scope: QueryScope,
): OperandPair | undefined {
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
    reportMismatch(right, a.type, b.type, scope);
    return undefined;
  }
  return [a, b];
}

function operatorProblem(operator: Operator, type: ValueType): string | undefined {
  if (type.kind === 'list') return `Use contains to search a list, not ${operator}.`;
  if (type.kind === 'vector') return `A vector is ranked with nearest(…), not compared with ${operator}.`;
  if (operator === '=' || operator === '!=' || isOrderedType(type)) return undefined;
  return `Values of ${formatValueType({ ...type, nullable: false })} have no order; compare them with = or !=.`;
}

function reportMismatch(
  side: ComparisonSide,
  expected: ValueType,
  found: ValueType,
  { query }: QueryScope,
): void {
  const wanted = formatValueType({ ...expected, nullable: false });
  query.errors.add(
    side.at,
    'type_mismatch',
    `Expected ${wanted}, but this is ${formatValueType({ ...found, nullable: false })}.`,
    { expected: [wanted] },
  );
}

function listOperands(
  list: ComparisonSide,
  item: ComparisonSide,
  scope: QueryScope,
): OperandPair | undefined {
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
  const known = item.resolved.kind === 'literal' ? null : operandType(item.resolved);
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
    reportMismatch(item, itemsType, b.type, scope);
    return undefined;
  }
  return [a, b];
}

function listOf(list: ComparisonSide, type: ValueType, scope: QueryScope): CheckedOperand | undefined {
  if (list.resolved.kind !== 'literal' || list.resolved.literal.kind !== 'list') return undefined;
  if (type.kind === 'list' || type.kind === 'vector') {
    scope.query.errors.add(
      list.at,
      'type_mismatch',
      'The left side of in must be a single value; use contains for lists.',
    );
    return undefined;
  }
  const { literal } = list.resolved;
  if (type.kind === 'scalar') {
    const natural = inferLiteralType(literal);
    const isFractions = natural?.kind === 'list' && natural.of === 'F64' && literal.items.length > 0;
    const of = isFractions && areComparable(type, { ...type, scalar: 'F64' }) ? 'F64' : type.scalar;
    return literalConstant(scope.query, literal, { kind: 'list', of, nullable: false });
  }
  // Each must be a value of the enum.
  const items = literal.items.map((item) => literalConstant(scope.query, item, type));
  if (items.includes(undefined)) return undefined;
  return literalConstant(scope.query, literal, { kind: 'list', of: 'String', nullable: false });
}

function containsOperands(
  left: ComparisonSide,
  right: ComparisonSide,
  scope: QueryScope,
): OperandPair | undefined {
  const type = knownType(left);
  if (type !== null && type !== undefined && type.kind === 'list') return listOperands(left, right, scope);
  if (type === null) {
    const a = operandFor(left, null, scope);
    const b = operandFor(right, null, scope);
    return a && b && [a, b];
  }
  return stringOperands('contains', left, right, scope);
}

function stringOperands(
  operator: Operator,
  left: ComparisonSide,
  right: ComparisonSide,
  scope: QueryScope,
): OperandPair | undefined {
  for (const side of [left, right]) {
    const type = knownType(side);
    if (type !== null && type !== undefined && !isStringType(type)) {
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

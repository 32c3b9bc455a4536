import type { Literal } from '../../language/literal.js';
import type { ValueType } from '../../model/value-type.js';
import type { PropertyOperand } from '../../store/row-query.js';
import type { CallExpression, QueryExpression, SystemField } from '../query-ast.js';
import type {
  CheckedCondition,
  CheckedOperand,
  CheckedTextCondition,
  ComputedOperand,
  Constant,
} from './checked-query.js';
import type { QueryScope, ScopedVariable } from './query-scope.js';
import { describeNodeTypes, type TextEmbedding } from './schema-names.js';

export interface ResolvedProperty {
  readonly kind: 'property';
  readonly operand: PropertyOperand;
  readonly embedding: TextEmbedding | null;
}

/** An expression whose literals have no type yet. */
export type ResolvedOperand =
  | ResolvedProperty
  | { readonly kind: 'constant'; readonly constant: Constant }
  | { readonly kind: 'computed'; readonly operand: ComputedOperand }
  | { readonly kind: 'literal'; readonly literal: Literal }
  | { readonly kind: 'variable'; readonly variable: ScopedVariable };

const dateTime: ValueType = { kind: 'scalar', scalar: 'DateTime', nullable: false };
const bool: ValueType = { kind: 'scalar', scalar: 'Bool', nullable: false };

/** Resolves what is neither an aggregate nor a score; reports an error and returns undefined if it cannot. */
export function resolveOperand(expression: QueryExpression, scope: QueryScope): ResolvedOperand | undefined {
  switch (expression.kind) {
    case 'property': {
      const variable = requireVariable(expression.variable, expression.at, scope);
      return variable && resolveProperty(variable, expression.property, expression.at, scope);
    }
    case 'system':
      return resolveSystemField(expression, scope);
    case 'variable':
      return resolveVariable(expression.name, expression.at, scope);
    case 'name':
      if (scope.constantsOnly) return reportNotConstant(expression.at, expression.name, scope);
      if (scope.row !== null) return resolveProperty(scope.row, expression.name, expression.at, scope);
      scope.query.errors.add(
        expression.at,
        'unknown_name',
        `Unknown name ${expression.name}. Write $variable.${expression.name} for a property or "${expression.name}" for a string.`,
      );
      return undefined;
    case 'null':
      scope.query.errors.add(
        expression.at,
        'null_never_matches',
        'A comparison with null is never true; use "is null" or "is not null".',
      );
      return undefined;
    case 'call':
      if (isTextFunction(expression.name)) return resolveTruth(expression, scope);
      return resolveCall(expression, scope);
    case 'compare':
    case 'is-null':
    case 'and':
    case 'or':
    case 'not':
    case 'block':
      return resolveTruth(expression, scope);
    case 'block-aggregate': {
      const operand = scope.query.blocks.aggregate(expression, scope);
      return operand && { kind: 'computed', operand };
    }
    default:
      return { kind: 'literal', literal: expression };
  }
}

function resolveTruth(expression: QueryExpression, scope: QueryScope): ResolvedOperand | undefined {
  const condition = scope.query.blocks.condition(expression, scope);
  if (condition === undefined) return undefined;
  const type = { ...bool, nullable: mayBeUnknown(condition) };
  return { kind: 'computed', operand: { kind: 'truth', condition, type } };
}

/** Whether a condition may be neither true nor false. */
function mayBeUnknown(condition: CheckedCondition): boolean {
  const mayBeNull = ({ type }: CheckedOperand) => type === null || type.nullable;
  switch (condition.kind) {
    case 'compare':
      return mayBeNull(condition.left) || mayBeNull(condition.right);
    case 'and':
    case 'or':
      return condition.conditions.some(mayBeUnknown);
    case 'not':
      return mayBeUnknown(condition.condition);
    case 'search':
    case 'match_text':
    case 'fuzzy':
      return mayBeNull(condition.operand) || mayBeNull(condition.text);
    case 'is-null':
    case 'same':
    case 'exists':
      return false;
  }
}

/** Reports that something of a row is used where there is none. */
export function reportNotConstant(at: number, what: string, { query }: QueryScope): undefined {
  query.errors.add(
    at,
    'not_a_constant',
    `${what} cannot be used in a value to set, which consists of literals and parameters; read it first, and pass it as a parameter.`,
  );
  return undefined;
}

export function isTextFunction(name: string): name is CheckedTextCondition['kind'] {
  return name === 'search' || name === 'match_text' || name === 'fuzzy';
}

function resolveCall(
  { name, at, arguments: given }: CallExpression,
  scope: QueryScope,
): ResolvedOperand | undefined {
  if (name === 'now') {
    if (given.length > 0) scope.query.errors.add(at, 'bad_arguments', 'now() takes no arguments.');
    return { kind: 'constant', constant: { kind: 'now', type: dateTime } };
  }
  if (name === 'date' || name === 'datetime') {
    const example = name === 'date' ? '2026-01-31' : '2026-01-31T12:00:00Z';
    scope.query.errors.add(at, 'bad_arguments', `${name} takes one text: ${name}("${example}").`);
  } else if (functionNames.includes(name)) {
    const block = blockForms.get(name);
    const way = block === undefined ? 'use a value' : `return it, or use a block: ${block}`;
    scope.query.errors.add(at, 'misplaced', `${name}(…) is not allowed here; ${way}.`);
  } else {
    scope.query.errors.add(at, 'unknown_function', `There is no function ${name}.`, {
      meant: name,
      among: functionNames,
      expected: functionNames,
    });
  }
  return undefined;
}

export const functionNames: readonly string[] = [
  ...['now', 'date', 'datetime', 'count', 'sum', 'avg', 'min', 'max'],
  ...['nearest', 'bm25', 'rrf', 'search', 'fuzzy', 'match_text'],
];

/** Aggregates where rows are chosen are of a block. */
const blockForms: ReadonlyMap<string, string> = new Map([
  ['count', 'count { … }'],
  ...['sum', 'avg', 'min', 'max'].map((name) => [name, `${name}($x.p) { … }`] as const),
]);

function resolveVariable(name: string, at: number, scope: QueryScope): ResolvedOperand | undefined {
  const type = scope.query.parameters.get(name);
  if (type === undefined) {
    const variable = requireVariable(name, at, scope);
    return variable && { kind: 'variable', variable };
  }
  scope.query.usedParameters.add(name);
  return { kind: 'constant', constant: { kind: 'parameter', name, type } };
}

/** Reports an error and returns undefined if there is none. */
function requireVariable(name: string, at: number, scope: QueryScope): ScopedVariable | undefined {
  const { errors, parameters } = scope.query;
  if (parameters.has(name)) {
    scope.query.usedParameters.add(name);
    errors.add(at, 'not_a_variable', `$${name} is a parameter, not a node; it has no properties.`);
    return undefined;
  }
  if (name === '_') {
    errors.add(at, 'anonymous', '$_ matches any node without naming it; use a named variable here.');
    return undefined;
  }
  const variable = scope.reference(name);
  if (variable === undefined) {
    if (scope.query.hasDeclared(name))
      errors.add(at, 'unknown_variable', `$${name} is known only inside its block; find it here, too.`);
    else
      errors.add(at, 'unknown_variable', `$${name} is not defined.`, { meant: name, among: scope.names() });
  }
  return variable;
}

/** What they are of a row. */
const systemFields: Readonly<
  Record<'node' | 'edge', Readonly<Partial<Record<SystemField['field'], string>>>>
> = {
  node: { '@id': 'id' },
  edge: { '@id': 'id', '@src': 'from', '@dst': 'to' },
};

function resolveSystemField(
  { at, variable: name, field }: SystemField,
  scope: QueryScope,
): ResolvedOperand | undefined {
  if (name === null && scope.constantsOnly) return reportNotConstant(at, field, scope);
  const variable = name === null ? scope.row : requireVariable(name, at, scope);
  if (variable === null) {
    scope.query.errors.add(
      at,
      'unknown_name',
      `Write $variable.${field}; only the where of a mutation has ${field}.`,
    );
    return undefined;
  }
  const property = variable && systemFields[variable.kind][field];
  if (variable === undefined) return undefined;
  if (property === undefined) {
    const expected = Object.keys(systemFields[variable.kind]);
    scope.query.errors.add(
      at,
      'unknown_property',
      `A ${variable.kind} has no ${field}; it has ${expected.join(', ')}.`,
      {
        expected,
      },
    );
    return undefined;
  }
  // A key that the schema declares distinguishes edges only between the same ends.
  const isKeyed = variable.kind === 'edge' && variable.edge.type?.key != null;
  const operand: PropertyOperand = {
    ...{ kind: 'property', variable: variable.id, of: variable.kind, place: 'row' },
    property: isKeyed && property === 'id' ? 'identity' : property,
    type: { kind: 'scalar', scalar: 'String', nullable: false },
  };
  return { kind: 'property', operand, embedding: null };
}

/** Reports an error and returns undefined if its types have no such property. */
export function resolveProperty(
  variable: ScopedVariable,
  property: string,
  at: number,
  { query: { schemaNames, errors } }: QueryScope,
): ResolvedProperty | undefined {
  const types = variable.kind === 'node' ? (variable.types ?? null) : null;
  const meaning =
    variable.kind === 'node'
      ? schemaNames.nodeProperty(types, property)
      : schemaNames.edgeProperty(variable.edge, property);
  if (meaning === undefined) {
    const among =
      variable.kind === 'node'
        ? schemaNames.nodePropertyNames(types)
        : schemaNames.edgePropertyNames(variable.edge);
    const owner = variable.kind === 'node' ? describeNodeTypes(types) : variable.edge.name;
    const common = types !== null && types.length > 1 ? ' that they all have with the same type' : '';
    errors.add(at, 'unknown_property', `${owner} has no property ${property}${common}.`, {
      meant: property,
      among,
      expected: among,
    });
    return undefined;
  }
  const { place, type, embedding } = meaning;
  const operand: PropertyOperand = {
    kind: 'property',
    variable: variable.id,
    of: variable.kind,
    property,
    place,
    type,
  };
  return { kind: 'property', operand, embedding };
}

/** Null if only a row can tell. */
export function operandType(
  resolved: ResolvedOperand & { kind: 'property' | 'constant' | 'computed' },
): ValueType | null {
  return resolved.kind === 'constant' ? resolved.constant.type : resolved.operand.type;
}

import { formatValueType } from '../../language/format-value-type.js';
import { queryLimits } from '../../model/limits.js';
import type { ValueType } from '../../model/value-type.js';
import type { PropertyOperand } from '../../store/row-query.js';
import type { CallExpression, QueryExpression } from '../query-ast.js';
import type { CheckedTextCondition, Constant } from './checked-query.js';
import type { QueryScope } from './query-scope.js';
import { resolveConstant } from './resolve-constant.js';
import { type ResolvedProperty, reportNotConstant, resolveOperand } from './resolve-operand.js';
import { isStringType } from './type-rules.js';

const nullableText: ValueType = { kind: 'scalar', scalar: 'String', nullable: true };
const integer: ValueType = { kind: 'scalar', scalar: 'I64', nullable: false };
const unsigned: ValueType = { kind: 'scalar', scalar: 'U64', nullable: false };

/** `search(property, text)`, `match_text(property, text)` or `fuzzy(property, text, edits)`. */
export function checkTextCondition(
  kind: CheckedTextCondition['kind'],
  call: CallExpression,
  scope: QueryScope,
): CheckedTextCondition | undefined {
  if (scope.constantsOnly) return reportNotConstant(call.at, `${kind}(…)`, scope);
  const most = kind === 'fuzzy' ? 3 : 2;
  if (!checkArgumentCount(call, 2, most, scope)) return undefined;
  const [subject, words, edits] = call.arguments;
  if (subject === undefined || words === undefined) return undefined;
  const operand = textProperty(kind, subject, scope);
  const text = resolveConstant(words, nullableText, scope, `The text of ${kind}`);
  const allowed =
    edits === undefined
      ? null
      : checkIntegerInRange(edits, 0, queryLimits.edits, scope, 'The edits of fuzzy');
  if (operand === undefined || text === undefined || allowed === undefined) return undefined;
  return { kind, operand, text, edits: allowed };
}

/** Reports an error and returns false if a call has too few or too many arguments. */
export function checkArgumentCount(
  call: CallExpression,
  least: number,
  most: number,
  scope: QueryScope,
): boolean {
  const { length } = call.arguments;
  if (length >= least && length <= most) return true;
  const wanted = least === most ? `${least}` : `${least} or ${most}`;
  scope.query.errors.add(
    call.at,
    'bad_arguments',
    `${call.name} takes ${wanted} ${most === 1 ? 'argument' : 'arguments'}, but has ${length}.`,
  );
  return false;
}

/** The property that a search function searches: a string, or the observations of a node. */
export function textProperty(
  name: string,
  expression: QueryExpression,
  scope: QueryScope,
): PropertyOperand | undefined {
  const operand = searchedProperty(name, expression, scope)?.operand;
  if (operand === undefined) return undefined;
  const { type, property, place } = operand;
  const isObservations = place === 'row' && property === 'observations';
  if (type === null || isStringType(type) || isObservations) return operand;
  scope.query.errors.add(
    expression.at,
    'type_mismatch',
    `${name} looks at a String or at the observations of a node, but ${property} is ${formatValueType(type)}.`,
    { expected: ['String'] },
  );
  return undefined;
}

/** Reports an error and returns undefined if the argument is not a property. */
export function searchedProperty(
  name: string,
  expression: QueryExpression,
  scope: QueryScope,
): ResolvedProperty | undefined {
  if (expression.kind !== 'property' && !(expression.kind === 'name' && scope.row !== null)) {
    scope.query.errors.add(
      expression.at,
      'bad_arguments',
      `The first argument of ${name} is a property: $variable.name.`,
      { expected: ['a property'] },
    );
    return undefined;
  }
  const resolved = resolveOperand(expression, scope);
  return resolved?.kind === 'property' ? resolved : undefined;
}

/** An integer in a range; a parameter is checked when it is bound. */
export function checkIntegerInRange(
  expression: QueryExpression,
  min: number,
  max: number,
  scope: QueryScope,
  what: string,
): Constant | undefined {
  const declared = expression.kind === 'variable' ? scope.query.parameters.get(expression.name) : undefined;
  const isUnsigned = declared?.kind === 'scalar' && declared.scalar === 'U64';
  const constant = resolveConstant(expression, isUnsigned ? unsigned : integer, scope, what);
  if (constant?.kind !== 'literal') return constant;
  if (typeof constant.value === 'number' && constant.value >= min && constant.value <= max) return constant;
  scope.query.errors.add(expression.at, 'out_of_range', `${what} must lie in ${min}..${max}.`);
  return undefined;
}

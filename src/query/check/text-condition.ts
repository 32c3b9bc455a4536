import { formatValueType } from '../../language/format-value-type.js';
import { queryLimits } from '../../model/limits.js';
import type { ValueType } from '../../model/value-type.js';
import type { PropertyOperand } from '../../store/row-query.js';
import type { CallExpression, Expression } from '../ast.js';
import type { CheckedText, Constant } from './checked-query.js';
import { constantOf, type ResolvedProperty, resolve } from './operands.js';
import type { Scope } from './scope.js';
import { isString } from './type-rules.js';

const nullableText: ValueType = { kind: 'scalar', scalar: 'String', nullable: true };
const smallNumber: ValueType = { kind: 'scalar', scalar: 'I64', nullable: false };

export function isTextFunction(name: string): name is CheckedText['kind'] {
  return name === 'search' || name === 'match_text' || name === 'fuzzy';
}

/** `search(property, text)`, `match_text(property, text)` or `fuzzy(property, text, edits)`. */
export function checkText(
  kind: CheckedText['kind'],
  call: CallExpression,
  scope: Scope,
): CheckedText | undefined {
  const most = kind === 'fuzzy' ? 3 : 2;
  if (!hasArguments(call, 2, most, scope)) return undefined;
  const [subject, words, edits] = call.arguments;
  if (subject === undefined || words === undefined) return undefined;
  const operand = textProperty(kind, subject, scope);
  const text = constantOf(words, nullableText, scope, `The text of ${kind}`);
  const allowed =
    edits === undefined ? null : wholeNumber(edits, 0, queryLimits.edits, scope, 'The edits of fuzzy');
  if (operand === undefined || text === undefined || allowed === undefined) return undefined;
  return { kind, operand, text, edits: allowed };
}

/** Whether a call has as many arguments as it takes; tells it if not. */
export function hasArguments(call: CallExpression, least: number, most: number, scope: Scope): boolean {
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

/** The property that a search function looks at: a string, or the observations of a node. */
export function textProperty(
  name: string,
  expression: Expression,
  scope: Scope,
): PropertyOperand | undefined {
  const operand = searchedProperty(name, expression, scope)?.operand;
  if (operand === undefined) return undefined;
  const { type, property, place } = operand;
  const isObservations = place === 'row' && property === 'observations';
  if (type === null || isString(type) || isObservations) return operand;
  scope.query.errors.add(
    expression.at,
    'type_mismatch',
    `${name} looks at a String or at the observations of a node, but ${property} is ${formatValueType(type)}.`,
    { expected: ['String'] },
  );
  return undefined;
}

/** The property that a function is about; undefined, and told, if its argument is none. */
export function searchedProperty(
  name: string,
  expression: Expression,
  scope: Scope,
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
  const resolved = resolve(expression, scope);
  return resolved?.kind === 'property' ? resolved : undefined;
}

/** A whole number in a range; of a parameter it is looked at when it is given. */
export function wholeNumber(
  expression: Expression,
  min: number,
  max: number,
  scope: Scope,
  what: string,
): Constant | undefined {
  const constant = constantOf(expression, smallNumber, scope, what);
  if (constant?.kind !== 'literal') return constant;
  if (typeof constant.value === 'number' && constant.value >= min && constant.value <= max) return constant;
  scope.query.errors.add(expression.at, 'out_of_range', `${what} must lie in ${min}..${max}.`);
  return undefined;
}

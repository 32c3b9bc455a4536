import { limits, meshSchemaLimits } from '../../../model/limits.js';
import { textProblem } from '../../../model/text.js';
import type { MeshProperty } from '../mesh-schema.js';
import { metadataValue } from '../metadata/metadata-entry.js';
import { listChoices } from '../text/quote-value.js';
import type { ArgumentErrors } from './mesh-argument-errors.js';

/** A value is stored in one observation with its key, which may get a space before each letter. */
const maxValueLength = limits.textLength - 2 * meshSchemaLimits.nameLength - 2;

/** Null removes a property. */
export type ArgumentValue = string | number | boolean | readonly string[] | null;

/** The value of a declared property; undefined if it is invalid. */
export function checkDeclaredValue(
  errors: ArgumentErrors,
  property: MeshProperty,
  given: unknown,
): ArgumentValue | undefined {
  const { name, type } = property;
  switch (type) {
    case 'string':
      // The original server accepts a list for every relationship.
      if (Array.isArray(given) && property.relationship !== undefined)
        return checkDeclaredItems(errors, property, given);
      if (typeof given !== 'string') break;
      return checkText(errors, property, name, given) && checkValueLength(errors, name, given)
        ? given
        : undefined;
    case 'array':
      if (!Array.isArray(given)) break;
      return checkDeclaredItems(errors, property, given);
    case 'boolean':
      if (typeof given !== 'boolean') break;
      return given;
    case 'integer':
      if (!Number.isInteger(given)) break;
      return Number(given);
    case 'number':
      if (typeof given !== 'number' || !Number.isFinite(given)) break;
      return given;
  }
  errors.invalid(name, given, `${describeAllowed(property)}${property.required ? '' : ', or omitted'}`);
  return undefined;
}

/** The value of an undeclared property; undefined if it is invalid. */
export function checkExtraValue(
  errors: ArgumentErrors,
  name: string,
  given: unknown,
): ArgumentValue | undefined {
  const value = Array.isArray(given)
    ? checkExtraItems(errors, name, given)
    : checkScalar(errors, name, given);
  return value !== undefined && checkValueLength(errors, name, value) ? value : undefined;
}

/** The end of a sentence. */
export function describeAllowed(property: MeshProperty): string {
  const { type, relationship } = property;
  const choices = property.enum === undefined ? undefined : listChoices(property.enum);
  const nodeType = relationship?.nodeType ?? 'node';
  switch (type) {
    case 'string':
      if (choices !== undefined) return `one of: ${choices}`;
      if (relationship !== undefined) return `the name of an existing ${nodeType}`;
      return 'a string';
    case 'array':
      if (choices !== undefined) return `a list of any of: ${choices}`;
      if (relationship !== undefined) return `a list of names, each of an existing ${nodeType}`;
      return 'a list of strings';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return 'a whole number';
    case 'number':
      return 'a number';
  }
}

function checkDeclaredItems(
  errors: ArgumentErrors,
  property: MeshProperty,
  given: readonly unknown[],
): readonly string[] | undefined {
  const { name } = property;
  if (!checkItemCount(errors, name, given)) return undefined;
  const items = given.filter((item) => typeof item === 'string');
  given.forEach((item, index) => {
    const field = `${name}[${index}]`;
    if (typeof item === 'string') checkText(errors, property, field, item);
    else errors.invalid(field, item, 'a string');
  });
  if (property.required && items.length === 0) {
    errors.invalid(name, given, `${describeAllowed(property)}, with at least one item`);
  }
  return checkValueLength(errors, name, items) ? items : undefined;
}

function checkText(errors: ArgumentErrors, property: MeshProperty, field: string, text: string): boolean {
  const problem = textProblem(text);
  const isName = property.name === 'name' || property.relationship !== undefined;
  if (problem !== undefined) errors.add(field, problem);
  else if (property.enum !== undefined && !property.enum.includes(text)) {
    errors.invalid(field, text, `one of: ${listChoices(property.enum)}`);
  } else if (text === '' && (isName || property.required)) errors.add(field, 'must not be empty');
  else if (isName && text.length > limits.nameLength) {
    errors.add(field, `has ${text.length} characters; at most ${limits.nameLength} are allowed in a name`);
  } else return true;
  return false;
}

function checkExtraItems(
  errors: ArgumentErrors,
  name: string,
  given: readonly unknown[],
): readonly string[] | undefined {
  if (!checkItemCount(errors, name, given)) return undefined;
  const items = given.map((item, index) => checkScalar(errors, `${name}[${index}]`, item));
  return items.flatMap((item) => (item === undefined ? [] : [String(item)]));
}

function checkScalar(
  errors: ArgumentErrors,
  field: string,
  given: unknown,
): string | number | boolean | undefined {
  if (typeof given === 'boolean' || (typeof given === 'number' && Number.isFinite(given))) return given;
  if (typeof given !== 'string') {
    errors.invalid(field, given, 'a string, a number, true, false or a list of these, or omitted');
    return undefined;
  }
  const problem = textProblem(given);
  if (problem === undefined) return given;
  errors.add(field, problem);
  return undefined;
}

function checkItemCount(errors: ArgumentErrors, name: string, given: readonly unknown[]): boolean {
  if (given.length <= limits.batchItems) return true;
  errors.add(name, `has ${given.length} items; at most ${limits.batchItems} are allowed`);
  return false;
}

function checkValueLength(errors: ArgumentErrors, name: string, value: ArgumentValue): boolean {
  const { length } = metadataValue(value);
  if (length <= maxValueLength) return true;
  errors.add(name, `has ${length} characters; at most ${maxValueLength} are allowed`);
  return false;
}

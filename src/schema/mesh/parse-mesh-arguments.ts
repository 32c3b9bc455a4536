import { isRecord, ownValue } from '../../model/is-record.js';
import { limits, meshSchemaLimits } from '../../model/limits.js';
import { nearest } from '../../model/nearest.js';
import {
  type ArgumentValue,
  checkDeclaredValue,
  checkExtraValue,
  describeAllowed,
} from './arguments/argument-value.js';
import type { MeshToolVerb } from './arguments/example-call.js';
import { ArgumentErrors, missingWrapperError } from './arguments/mesh-argument-errors.js';
import type { MeshProperty, MeshSchema } from './mesh-schema.js';
import { metadataKeys } from './metadata/metadata-keys.js';
import { invisibleCharacterProblem } from './text/invisible-characters.js';
import { quoteValue } from './text/quote-value.js';
import { titleCase } from './title-case.js';

export type { ArgumentValue };

export interface MeshArguments {
  readonly name: string;
  /** Without the name: declared properties in the order of the schema, then others. Null removes. */
  readonly values: ReadonlyMap<string, ArgumentValue>;
}

/** `{npc: {…}}` or, from older clients, `{add_npc: {…}}`. Null is left out. */
export function parseAddArguments(schema: MeshSchema, given: unknown): MeshArguments {
  return parseCall(schema, 'add', given);
}

/** All but the name may be omitted; null or `[]` removes. */
export function parseUpdateArguments(schema: MeshSchema, given: unknown): MeshArguments {
  return parseCall(schema, 'update', given);
}

export function parseDeleteArguments(schema: MeshSchema, given: unknown): MeshArguments {
  return parseCall(schema, 'delete', given);
}

/** Fields without the wrapping object. */
export function parseAddFields(schema: MeshSchema, fields: unknown): MeshArguments {
  return parseAddArguments(schema, { [schema.type]: fields });
}

type Fields = Readonly<Record<string, unknown>>;

interface CheckedCall {
  readonly schema: MeshSchema;
  readonly verb: MeshToolVerb;
  readonly fields: Fields;
  readonly errors: ArgumentErrors;
}

function parseCall(schema: MeshSchema, verb: MeshToolVerb, given: unknown): MeshArguments {
  const errors = new ArgumentErrors(schema, verb);
  const fields = fieldsOf(schema, verb, given, errors);
  const name = parseName(schema, fields, errors);
  const call = { schema, verb, fields, errors };
  if (verb === 'delete') refuseAllButName(call);
  const values = new Map(verb === 'delete' ? [] : [...declaredValues(call), ...extraValues(call)]);
  errors.throwIfAny();
  return { name, values };
}

function fieldsOf(schema: MeshSchema, verb: MeshToolVerb, given: unknown, errors: ArgumentErrors): Fields {
  const { type, properties } = schema;
  if (!isRecord(given)) throw missingWrapperError(schema, verb);
  const wrappers = [type, `${verb}_${type}`];
  const wrapper = wrappers.find((key) => isRecord(ownValue(given, key)));
  const fields = wrapper === undefined ? undefined : ownValue(given, wrapper);
  if (wrapper === undefined || !isRecord(fields)) throw missingWrapperError(schema, verb);
  for (const [key, value] of Object.entries(given)) {
    if (key === wrapper || (value === null && wrappers.includes(key))) continue;
    if (properties.some(({ name }) => name === key)) {
      errors.add(key, `must be inside "${wrapper}", not beside it`);
    } else errors.add(quoteFieldName(key), `is unknown; ${verb}_${type} takes only "${wrapper}"`);
  }
  return fields;
}

function refuseAllButName({ schema, fields, errors }: CheckedCall): void {
  for (const [key, value] of Object.entries(fields)) {
    if (key !== 'name' && value !== null)
      errors.add(quoteFieldName(key), `is unknown; delete_${schema.type} takes only the name`);
  }
}

function parseName({ type, properties }: MeshSchema, fields: Fields, errors: ArgumentErrors): string {
  const property = properties.find(({ name }) => name === 'name');
  const given = ownValue(fields, 'name');
  if (given === undefined) errors.invalid('name', given, `the name of the ${type}`);
  const name =
    given === undefined || property === undefined ? '' : checkDeclaredValue(errors, property, given);
  return typeof name === 'string' ? name : '';
}

function* declaredValues(call: CheckedCall): Generator<[string, ArgumentValue]> {
  for (const property of call.schema.properties) {
    const { name } = property;
    const value = name === 'name' ? undefined : parseDeclaredValue(property, call);
    if (value !== undefined) yield [name, value];
  }
}

function parseDeclaredValue(
  property: MeshProperty,
  { verb, fields, errors }: CheckedCall,
): ArgumentValue | undefined {
  const { name, required } = property;
  const given = ownValue(fields, name);
  if (given === undefined || (!required && isOmitted(property, verb, given))) {
    if (required && verb === 'add') errors.invalid(name, given, describeAllowed(property));
    return undefined;
  }
  if (verb === 'update' && isRemoval(given)) {
    if (required) errors.add(name, `is required, so it cannot be removed; give ${describeAllowed(property)}`);
    return null;
  }
  return checkDeclaredValue(errors, property, given);
}

/** Whether clients send this value to omit an optional property; in an update, null and `[]` remove it. */
function isOmitted(
  { type, enum: choices, relationship }: MeshProperty,
  verb: MeshToolVerb,
  given: unknown,
): boolean {
  if (given === '')
    return type === 'string' && (choices ?? relationship) !== undefined && !choices?.includes('');
  const isList = type === 'array' || relationship !== undefined;
  return verb !== 'update' && (given === null || (isList && isEmptyList(given)));
}

function* extraValues({ schema, verb, fields, errors }: CheckedCall): Generator<[string, ArgumentValue]> {
  const declaredKeys = metadataKeys(schema);
  const extra = Object.entries(fields).filter(
    ([name, value]) =>
      !declaredKeys.has(name) && value !== undefined && (value !== null || verb === 'update'),
  );
  if (extra.length > limits.batchItems) {
    errors.add(
      schema.type,
      `has ${extra.length} additional fields; at most ${limits.batchItems} are allowed`,
    );
    return;
  }
  const keys = new Map([...declaredKeys].map(([name, key]) => [key, name]));
  for (const [name, given] of extra) {
    if (!checkExtraName(errors, schema, name, keys)) continue;
    keys.set(titleCase(name), name);
    if (verb === 'update' && isRemoval(given)) yield [name, null];
    else if (!isEmptyList(given)) {
      const value = checkExtraValue(errors, name, given);
      if (value !== undefined) yield [name, value];
    }
  }
}

function checkExtraName(
  errors: ArgumentErrors,
  { type, properties, additionalProperties }: MeshSchema,
  name: string,
  keys: ReadonlyMap<string, string>,
): boolean {
  const key = titleCase(name);
  const field = quoteFieldName(name);
  const known = keys.get(key);
  const invisible = invisibleCharacterProblem(name);
  if (known !== undefined) errors.add(field, `means the same as ${known}; use ${known}`);
  else if (!additionalProperties) {
    const names = properties.map((property) => property.name);
    const meant = nearest(name, names);
    const suggestion = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    errors.add(field, `is unknown; ${type} takes only ${names.join(', ')}${suggestion}`);
  } else if (invisible !== undefined) errors.add(field, `${invisible}; a field name must not`);
  else if (name.length > meshSchemaLimits.nameLength) {
    errors.add(
      field,
      `has a name of ${name.length} characters; at most ${meshSchemaLimits.nameLength} are allowed`,
    );
  } else if (name === '__proto__' || key === '' || key.includes(': ')) {
    errors.add(field, 'is not a valid field name; use letters, digits and "_"');
  } else return true;
  return false;
}

function quoteFieldName(name: string): string {
  return name.length <= meshSchemaLimits.nameLength && /^[\w-]+$/.test(name) ? name : quoteValue(name);
}

function isRemoval(given: unknown): boolean {
  return given === null || isEmptyList(given);
}

function isEmptyList(given: unknown): boolean {
  return Array.isArray(given) && given.length === 0;
}

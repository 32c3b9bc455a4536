import { isRecord, ownValue } from '../../model/is-record.js';
import { limits, schemaLimits } from '../../model/limits.js';
import { nearest } from '../../model/nearest.js';
import type { Verb } from './arguments/example-call.js';
import { Faults, wrapperMissing } from './arguments/faults.js';
import { type ArgumentValue, allowedFor, declaredValue, extraValue } from './arguments/value.js';
import { keysOf } from './metadata/keys.js';
import type { NodeSchema, PropertySchema } from './node-schema.js';
import { shown } from './text/shown.js';
import { unseenProblem } from './text/unseen.js';
import { titleCase } from './title-case.js';

export type { ArgumentValue };

/** What a call of a schema's tool says, checked. */
export interface Arguments {
  readonly name: string;
  /** What was given besides the name, by property: those of the schema in its order, then others. Null removes. */
  readonly values: ReadonlyMap<string, ArgumentValue>;
}

/** Checks the arguments of `add_<type>`: `{npc: {…}}` or, as older clients say, `{add_npc: {…}}`. Null is left out. */
export function parseAdd(schema: NodeSchema, given: unknown): Arguments {
  return parseCall(schema, 'add', given);
}

/** Checks the arguments of `update_<type>`, where all but the name may be left out, and null or `[]` removes. */
export function parseUpdate(schema: NodeSchema, given: unknown): Arguments {
  return parseCall(schema, 'update', given);
}

/** Checks the arguments of `delete_<type>`: the name, and nothing else. */
export function parseDelete(schema: NodeSchema, given: unknown): Arguments {
  return parseCall(schema, 'delete', given);
}

/** Checks the fields of a new node that do not stand in an object of their own. */
export function parseFields(schema: NodeSchema, fields: unknown): Arguments {
  return parseAdd(schema, { [schema.type]: fields });
}

type Fields = Readonly<Record<string, unknown>>;

/** A call that is being checked. */
interface CheckedCall {
  readonly schema: NodeSchema;
  readonly verb: Verb;
  readonly fields: Fields;
  readonly faults: Faults;
}

function parseCall(schema: NodeSchema, verb: Verb, given: unknown): Arguments {
  const faults = new Faults(schema, verb);
  const fields = fieldsOf(schema, verb, given, faults);
  const name = parseName(schema, fields, faults);
  const call = { schema, verb, fields, faults };
  if (verb === 'delete') refuseAllButName(call);
  const values = new Map(verb === 'delete' ? [] : [...declaredValues(call), ...extraValues(call)]);
  faults.throwIfAny();
  return { name, values };
}

/** The object with the fields, by whichever of its two names it was given. */
function fieldsOf(schema: NodeSchema, verb: Verb, given: unknown, faults: Faults): Fields {
  const { type, properties } = schema;
  if (!isRecord(given)) throw wrapperMissing(schema, verb);
  const wrappers = [type, `${verb}_${type}`];
  const wrapper = wrappers.find((key) => isRecord(ownValue(given, key)));
  const fields = wrapper === undefined ? undefined : ownValue(given, wrapper);
  if (wrapper === undefined || !isRecord(fields)) throw wrapperMissing(schema, verb);
  for (const [key, value] of Object.entries(given)) {
    if (key === wrapper || (value === null && wrappers.includes(key))) continue;
    if (properties.some(({ name }) => name === key)) {
      faults.add(key, `stands beside "${wrapper}", but belongs inside it`);
    } else faults.add(fieldName(key), `is not known; ${verb}_${type} takes only "${wrapper}"`);
  }
  return fields;
}

function refuseAllButName({ schema, fields, faults }: CheckedCall): void {
  for (const [key, value] of Object.entries(fields)) {
    if (key !== 'name' && value !== null)
      faults.add(fieldName(key), `is not known; delete_${schema.type} takes only the name`);
  }
}

function parseName({ type, properties }: NodeSchema, fields: Fields, faults: Faults): string {
  const property = properties.find(({ name }) => name === 'name');
  const given = ownValue(fields, 'name');
  if (given === undefined) faults.wrong('name', given, `the name of the ${type}`);
  const name = given === undefined || property === undefined ? '' : declaredValue(faults, property, given);
  return typeof name === 'string' ? name : '';
}

/** What the properties that the schema declares were given, but for the name. */
function* declaredValues(call: CheckedCall): Generator<[string, ArgumentValue]> {
  for (const property of call.schema.properties) {
    const { name } = property;
    const value = name === 'name' ? undefined : valueFor(property, call);
    if (value !== undefined) yield [name, value];
  }
}

/** Undefined if there is none, or none that can be used. */
function valueFor(
  property: PropertySchema,
  { verb, fields, faults }: CheckedCall,
): ArgumentValue | undefined {
  const { name, required } = property;
  const given = ownValue(fields, name);
  if (given === undefined || (!required && saysNothing(property, verb, given))) {
    if (required && verb === 'add') faults.wrong(name, given, allowedFor(property));
    return undefined;
  }
  if (verb === 'update' && isRemoval(given)) {
    if (required) faults.add(name, `cannot be removed, since it is required; give ${allowedFor(property)}`);
    return null;
  }
  return declaredValue(faults, property, given);
}

/** Whether a value of an optional property is what clients send for none; null and an empty list mean more to an update. */
function saysNothing(
  { type, enum: choices, relationship }: PropertySchema,
  verb: Verb,
  given: unknown,
): boolean {
  if (given === '')
    return type === 'string' && (choices ?? relationship) !== undefined && !choices?.includes('');
  const isList = type === 'array' || relationship !== undefined;
  return verb !== 'update' && (given === null || (isList && isEmptyList(given)));
}

/** What was given besides. */
function* extraValues({ schema, verb, fields, faults }: CheckedCall): Generator<[string, ArgumentValue]> {
  const declaredKeys = keysOf(schema);
  const extra = Object.entries(fields).filter(
    ([name, value]) =>
      !declaredKeys.has(name) && value !== undefined && (value !== null || verb === 'update'),
  );
  if (extra.length > limits.batchItems) {
    faults.add(schema.type, `has ${extra.length} further fields; at most ${limits.batchItems} are allowed`);
    return;
  }
  const keys = new Map([...declaredKeys].map(([name, key]) => [key, name]));
  for (const [name, given] of extra) {
    if (!isUsableName(faults, schema, name, keys)) continue;
    keys.set(titleCase(name), name);
    if (verb === 'update' && isRemoval(given)) yield [name, null];
    else if (!isEmptyList(given)) {
      const value = extraValue(faults, name, given);
      if (value !== undefined) yield [name, value];
    }
  }
}

/** Whether an argument that the schema does not declare can be stored under its name. */
function isUsableName(
  faults: Faults,
  { type, properties, additionalProperties }: NodeSchema,
  name: string,
  keys: ReadonlyMap<string, string>,
): boolean {
  const key = titleCase(name);
  const field = fieldName(name);
  const known = keys.get(key);
  const unseen = unseenProblem(name);
  if (known !== undefined) faults.add(field, `means the same as ${known}; use ${known}`);
  else if (!additionalProperties) {
    const names = properties.map((property) => property.name);
    const meant = nearest(name, names);
    const wayOut = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    faults.add(field, `is not known; ${type} takes only ${names.join(', ')}${wayOut}`);
  } else if (unseen !== undefined) faults.add(field, `${unseen}, which the name of a field must not`);
  else if (name.length > schemaLimits.nameLength) {
    faults.add(
      field,
      `has a name of ${name.length} characters; at most ${schemaLimits.nameLength} are allowed`,
    );
  } else if (name === '__proto__' || key === '' || key.includes(': ')) {
    faults.add(field, 'is no name for a field; use letters, digits and "_"');
  } else return true;
  return false;
}

/** The name of a field as messages show it. */
function fieldName(name: string): string {
  return name.length <= schemaLimits.nameLength && /^[\w-]+$/.test(name) ? name : shown(name);
}

function isRemoval(given: unknown): boolean {
  return given === null || isEmptyList(given);
}

function isEmptyList(given: unknown): boolean {
  return Array.isArray(given) && given.length === 0;
}

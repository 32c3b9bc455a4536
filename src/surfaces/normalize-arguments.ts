import { z } from 'zod';
import { isRecord } from '../model/is-record.js';

/** An argument that no schema declares. */
export interface UnknownArgument {
  /** The object it stands in. */
  readonly path: readonly PropertyKey[];
  readonly key: string;
  /** The names that object takes. */
  readonly known: readonly string[];
}

/** Arguments as they were meant, and those that mean nothing. */
export interface NormalizedArguments {
  readonly value: unknown;
  readonly unknownArguments: readonly UnknownArgument[];
}

/**
 * Reads arguments as agent frameworks send them: an optional one that is null is left out, and so is one that is `""`
 * where an empty text is not valid. Unknown names are collected at every level. An object with a catchall is open, and a
 * tool without arguments ignores whatever it is given.
 */
export function normalizeArguments(schema: z.ZodObject, given: unknown): NormalizedArguments {
  const strays: UnknownArgument[] = [];
  if (Object.keys(schema.shape).length === 0 && isRecord(given))
    return { value: {}, unknownArguments: strays };
  return { value: normalizeValue(schema, given, [], strays), unknownArguments: strays };
}

function normalizeValue(
  schema: z.core.$ZodType,
  given: unknown,
  path: readonly PropertyKey[],
  strays: UnknownArgument[],
): unknown {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodObject && isRecord(given)) return normalizeMembers(inner, given, path, strays);
  if (inner instanceof z.ZodArray && Array.isArray(given)) {
    return given.map((item, index) => normalizeValue(inner.element, item, [...path, index], strays));
  }
  return given;
}

function normalizeMembers(
  { shape, def: { catchall } }: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
  strays: UnknownArgument[],
): Record<string, unknown> {
  const members: [string, unknown][] = [];
  for (const [key, value] of Object.entries(given)) {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (field !== undefined) {
      if (!isAbsent(field, value)) members.push([key, normalizeValue(field, value, [...path, key], strays)]);
    } else if (catchall === undefined) strays.push({ path, key, known: Object.keys(shape) });
    else members.push([key, value]);
  }
  return Object.fromEntries(members);
}

/** Whether a value says nothing: the field can be left out, and does not take the value itself. */
function isAbsent(field: z.core.$ZodType, value: unknown): boolean {
  if (value !== null && value !== '') return false;
  return acceptsValue(field, undefined) && !acceptsValue(field, value);
}

function acceptsValue(field: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(field, value).success;
}

function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap();
  }
  return inner;
}

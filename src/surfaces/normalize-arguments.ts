import { z } from 'zod';
import { isRecord } from '../model/is-record.js';

export interface UnknownArgument {
  readonly path: readonly PropertyKey[];
  readonly key: string;
  readonly known: readonly string[];
}

/**
 * Takes arguments as agent frameworks send them: drops an optional one that is null, or `""` where an empty text is
 * invalid. Collects unknown names at every level. An object with a catchall is open, and a tool without arguments
 * ignores what it gets.
 */
export function normalizeArguments(
  schema: z.ZodObject,
  given: unknown,
): { readonly value: unknown; readonly unknownArguments: readonly UnknownArgument[] } {
  const unknownArguments: UnknownArgument[] = [];
  if (Object.keys(schema.shape).length === 0 && isRecord(given)) return { value: {}, unknownArguments };
  return { value: normalizeValue(schema, given, [], unknownArguments), unknownArguments };
}

function normalizeValue(
  schema: z.core.$ZodType,
  given: unknown,
  path: readonly PropertyKey[],
  unknownArguments: UnknownArgument[],
): unknown {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodObject && isRecord(given))
    return normalizeMembers(inner, given, path, unknownArguments);
  if (inner instanceof z.ZodArray && Array.isArray(given)) {
    return given.map((item, index) =>
      normalizeValue(inner.element, item, [...path, index], unknownArguments),
    );
  }
  return given;
}

function normalizeMembers(
  { shape, def: { catchall } }: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
  unknownArguments: UnknownArgument[],
): Record<string, unknown> {
  const members: [string, unknown][] = [];
  for (const [key, value] of Object.entries(given)) {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (field !== undefined) {
      if (!isAbsent(field, value))
        members.push([key, normalizeValue(field, value, [...path, key], unknownArguments)]);
    } else if (catchall === undefined) unknownArguments.push({ path, key, known: Object.keys(shape) });
    else members.push([key, value]);
  }
  return Object.fromEntries(members);
}

/** Whether the field is optional and does not accept this empty value. */
function isAbsent(field: z.core.$ZodType, value: unknown): boolean {
  if (value !== null && value !== '') return false;
  return z.safeParse(field, undefined).success && !z.safeParse(field, value).success;
}

function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap();
  }
  return inner;
}

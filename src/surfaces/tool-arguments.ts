import { z } from 'zod';
import { TrellisError } from '../model/error.js';
import { hasProtoKey } from '../model/has-proto-key.js';
import { isRecord } from '../model/is-record.js';
import { nearest } from '../model/nearest.js';
import { pathText } from '../model/quoting.js';

/** A batch may have ten thousand wrong items. */
const maxListedFaults = 5;
const maxShownNameLength = 64;

interface UnknownArgument {
  readonly path: readonly PropertyKey[];
  readonly key: string;
  readonly known: readonly string[];
}

interface ArgumentFault {
  readonly path: readonly PropertyKey[];
  text(): string;
}

/**
 * Says what is wrong so that a model can correct it. Refuses unknown arguments at every level, whose meaning would be
 * lost silently, and `__proto__`, which the records of Zod drop.
 */
export function parseArguments<S extends z.ZodObject>(schema: S, tool: string, given: unknown): z.output<S> {
  if (hasProtoKey(given)) throw protoKeyError(tool);
  const { value, unknownArguments } = normalizeArguments(schema, given);
  const parsed = schema.safeParse(value);
  if (parsed.success && unknownArguments.length === 0) return parsed.data;
  throw invalidArguments(tool, [
    ...unknownArguments.map((unknown) => ({
      path: [...unknown.path, unknown.key],
      text: () => unknownArgumentText(unknown),
    })),
    ...(parsed.error?.issues ?? []).map((issue) => ({
      path: issue.path,
      text: () => issueText(issue, value),
    })),
  ]);
}

function invalidArguments(tool: string, faults: readonly ArgumentFault[]): TrellisError {
  const listed = faults.slice(0, maxListedFaults);
  const more = faults.length > listed.length ? ` And ${faults.length - listed.length} more.` : '';
  const texts = listed.map((fault) => fault.text());
  return new TrellisError('INVALID_ARGUMENT', `Invalid arguments for ${tool}: ${texts.join('; ')}.${more}`, {
    hint: 'Nothing was done. Correct the arguments and call again.',
    details: { paths: listed.map(({ path }) => pathText(path)) },
  });
}

function protoKeyError(tool: string): TrellisError {
  return new TrellisError(
    'INVALID_ARGUMENT',
    `Invalid arguments for ${tool}: __proto__ is not allowed as a name.`,
    { hint: 'Nothing was done. Choose another name and call again.' },
  );
}

function issueText(issue: z.core.$ZodIssue, given: unknown): string {
  const where = issue.path.length === 0 ? 'the arguments' : pathText(issue.path);
  if (issue.code === 'invalid_type' && valueAt(given, issue.path) === undefined) {
    return `${where} is missing (${issue.expected} expected)`;
  }
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1) {
    return `${where} must not be empty`;
  }
  const message = issue.message.replace(/^Invalid input: /, '');
  return `${where}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

function unknownArgumentText({ path, key, known }: UnknownArgument): string {
  const meant = nearest(key, known);
  const wayOut = meant === undefined ? `use ${known.join(', ')}` : `did you mean ${meant}?`;
  const name = `${JSON.stringify(key.slice(0, maxShownNameLength))} (${wayOut})`;
  return path.length === 0 ? `unknown argument ${name}` : `${pathText(path)} has no field ${name}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, step);
  }
  return at;
}

/**
 * Takes arguments as agent frameworks send them: drops an optional one that is null, or `""` where an empty text is
 * invalid. Collects unknown names at every level. An object with a catchall is open, and a tool without arguments
 * ignores what it gets.
 */
function normalizeArguments(
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
      if (!isAbsent(key, field, value))
        members.push([key, normalizeValue(field, value, [...path, key], unknownArguments)]);
    } else if (catchall === undefined) unknownArguments.push({ path, key, known: Object.keys(shape) });
    else members.push([key, value]);
  }
  return Object.fromEntries(members);
}

/**
 * Whether the field is optional and does not accept this empty value. An empty `if_commit` is most likely an unset
 * variable; a write without its condition is what its sender wanted to prevent.
 */
function isAbsent(key: string, field: z.core.$ZodType, value: unknown): boolean {
  if (value !== null && (value !== '' || key === 'if_commit')) return false;
  return z.safeParse(field, undefined).success && !z.safeParse(field, value).success;
}

function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap();
  }
  return inner;
}

import type { z } from 'zod';
import { TrellisError } from '../model/error.js';
import { nearest } from '../model/nearest.js';
import { normalizeArguments, type UnknownArgument } from './normalize-arguments.js';

/** How many faults one answer lists; a batch of ten thousand wrong items needs no longer list. */
const maxListedFaults = 5;

/** How much of a name that means nothing is repeated. */
const maxShownNameLength = 64;

/** Something that is wrong, and where. */
interface ArgumentFault {
  readonly path: readonly PropertyKey[];
  text(): string;
}

/**
 * Checks the arguments of a call and says what is wrong so that a model can correct it. Unknown arguments are refused at
 * every level: what somebody meant by them would be lost without a word. `__proto__` is refused too, because Zod's
 * records drop it.
 */
export function parseArguments<S extends z.ZodObject>(schema: S, tool: string, given: unknown): z.output<S> {
  if (hasProtoKey(given)) throw protoKeyError(tool);
  const { value, unknownArguments } = normalizeArguments(schema, given);
  const parsed = schema.safeParse(value);
  if (parsed.success && unknownArguments.length === 0) return parsed.data;
  throw invalidArguments(tool, [
    ...unknownArguments.map((stray) => ({
      path: [...stray.path, stray.key],
      text: () => unknownArgumentText(stray),
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

/** Whether `__proto__` is a name anywhere in a value; the value may be nested deeper than calls can be. */
function hasProtoKey(value: unknown): boolean {
  const waiting = [value].filter(isObject);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Object.hasOwn(next, '__proto__')) return true;
    for (const member of Object.values(next)) if (isObject(member)) waiting.push(member);
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function protoKeyError(tool: string): TrellisError {
  return new TrellisError(
    'INVALID_ARGUMENT',
    `Invalid arguments for ${tool}: __proto__ is not allowed as a name.`,
    {
      hint: 'Nothing was done. Choose another name and call again.',
    },
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
  return `${where}: ${lowerFirst(issue.message.replace(/^Invalid input: /, ''))}`;
}

/** An argument that is not known, and the one that was probably meant, or else those there are. */
function unknownArgumentText({ path, key, known }: UnknownArgument): string {
  const meant = nearest(key, known);
  const wayOut = meant === undefined ? `use ${known.join(', ')}` : `did you mean ${meant}?`;
  const name = `${JSON.stringify(key.slice(0, maxShownNameLength))} (${wayOut})`;
  return path.length === 0 ? `unknown argument ${name}` : `${pathText(path)} has no field ${name}`;
}

/** `entities[2].name`, as one would write it. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`,
    )
    .join('');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, step);
  }
  return at;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

import type { z } from 'zod';
import { TrellisError } from '../model/error.js';
import { nearest } from '../model/nearest.js';

/** How many faults one answer lists; a batch of ten thousand wrong items needs no longer list. */
const faultsListed = 5;

/** How much of a name that means nothing is repeated. */
const longestShown = 64;

/**
 * Checks the arguments of a call; what is wrong is said so that a model can mend it. Whether unknown arguments are passed
 * over is for the schema to say, but for `__proto__`: the records of Zod leave that out, and what somebody meant by it
 * would be lost without a word.
 */
export function parseArguments<S extends z.ZodObject>(schema: S, tool: string, given: unknown): z.output<S> {
  if (hasProto(given)) throw protoGiven(tool);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const known = Object.keys(schema.shape);
  const faults = issues.slice(0, faultsListed).map((issue) => describe(issue, given, known));
  const more = issues.length > faultsListed ? ` And ${issues.length - faultsListed} more.` : '';
  throw new TrellisError('INVALID_ARGUMENT', `Invalid arguments for ${tool}: ${faults.join('; ')}.${more}`, {
    hint: 'Nothing was done. Correct the arguments and call again.',
    details: { paths: issues.slice(0, faultsListed).map((issue) => pathText(issue.path)) },
  });
}

/** Whether `__proto__` is a name anywhere in a value; the value may be nested deeper than calls can be. */
function hasProto(value: unknown): boolean {
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

function protoGiven(tool: string): TrellisError {
  return new TrellisError(
    'INVALID_ARGUMENT',
    `Invalid arguments for ${tool}: nothing can be named __proto__.`,
    {
      hint: 'Nothing was done. Choose another name and call again.',
    },
  );
}

function describe(issue: z.core.$ZodIssue, given: unknown, known: readonly string[]): string {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    return issue.keys.map((key) => `there is no argument ${strayName(key, known)}`).join('; ');
  }
  const where = issue.path.length === 0 ? 'the arguments' : pathText(issue.path);
  if (issue.code === 'invalid_type' && valueAt(given, issue.path) === undefined) {
    return `${where} is missing (${issue.expected} expected)`;
  }
  return `${where}: ${lowerFirst(issue.message.replace(/^Invalid input: /, ''))}`;
}

/** An argument that is not known, and the one that was probably meant, or else those there are. */
function strayName(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  const wayOut = meant === undefined ? `use ${known.join(', ')}` : `did you mean ${meant}?`;
  return `${JSON.stringify(key.slice(0, longestShown))} (${wayOut})`;
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

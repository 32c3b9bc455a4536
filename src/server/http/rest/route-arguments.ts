import type { Context } from 'hono';
import { TrellisError } from '../../../model/error.js';
import { isRecord } from '../../../model/is-record.js';
import { type ObjectJsonSchema, parseJsonOrUndefined } from '../../../model/json.js';
import { didYouMean } from '../../../model/nearest.js';
import { readBody } from '../limits/json-body.js';
import type { Env } from '../middleware.js';
import { commitInHeaders, refuseConditions } from './conditional-headers.js';

/** Data, because the OpenAPI document is made from it too. */
export type ArgumentSource =
  | { readonly in: 'nothing' }
  | { readonly in: 'query'; readonly names: readonly string[] }
  | { readonly in: 'path'; readonly name: string; readonly argument: string }
  | { readonly in: 'body' }
  /** `if_commit`, in a header. */
  | { readonly in: 'condition'; readonly isRequired: boolean };

export type RouteArguments = Readonly<Record<string, unknown>>;

export const noArguments: ArgumentSource = { in: 'nothing' };

export const bodyArguments: ArgumentSource = { in: 'body' };

export const condition: ArgumentSource = { in: 'condition', isRequired: false };

export const requiredCondition: ArgumentSource = { in: 'condition', isRequired: true };

export function queryArguments(...names: readonly string[]): ArgumentSource {
  return { in: 'query', names };
}

export function pathArgument(name: string, argument: string = name): ArgumentSource {
  return { in: 'path', name, argument };
}

export async function readArguments(
  context: Context<Env>,
  source: ArgumentSource,
  depth: number,
  input?: ObjectJsonSchema,
): Promise<RouteArguments> {
  const { req } = context;
  switch (source.in) {
    case 'nothing':
      return {};
    case 'path':
      return { [source.argument]: req.param(source.name) };
    case 'condition': {
      const commit = commitInHeaders(req, source.isRequired);
      return commit === undefined ? {} : { if_commit: commit };
    }
    case 'query':
      return Object.fromEntries(
        source.names.flatMap((name): [string, unknown][] => {
          const value = req.query(name);
          if (value === undefined) return [];
          return [[name, parseParameter(name, value, typeOf(input, name))]];
        }),
      );
    case 'body': {
      const text = await readBody(context, depth);
      await context.var.admit();
      // An empty body means no arguments.
      const given = text === '' ? {} : parseJsonOrUndefined(text);
      if (isRecord(given)) return { ...given };
      throw new TrellisError('INVALID_ARGUMENT', 'The body must be a JSON object.', {
        hint: 'Send the arguments as an object, such as {"name": "review"}.',
      });
    }
  }
}

/**
 * An argument given twice is refused.
 *
 * @param input Says which query parameters are numbers and booleans; the others are texts.
 */
export async function readAllArguments(
  context: Context<Env>,
  sources: readonly ArgumentSource[],
  depth: number,
  input?: ObjectJsonSchema,
): Promise<RouteArguments> {
  checkParameters(
    context.req.queries(),
    sources.flatMap((source) => (source.in === 'query' ? source.names : [])),
  );
  if (!sources.some((source) => source.in === 'condition')) refuseConditions(context.req);
  const given = await Promise.all(sources.map((source) => readArguments(context, source, depth, input)));
  const entries = given.flatMap(Object.entries).filter(([, value]) => value !== null);
  const names = entries.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return Object.fromEntries(entries);
  throw new TrellisError('INVALID_ARGUMENT', `${twice} is given twice.`, {
    hint: `Nothing was done. The path or a header says it already: leave ${twice} out of the body or the query.`,
  });
}

/** `?brnach=draft` must not mean the main branch. */
export function checkParameters(
  given: Readonly<Record<string, readonly string[]>>,
  known: readonly string[],
): void {
  for (const [name, values] of Object.entries(given)) {
    if (!known.includes(name)) throw unknownParameter(name, known);
    if (values.length > 1) {
      throw new TrellisError(
        'INVALID_ARGUMENT',
        `The query parameter ${name} occurs ${values.length} times.`,
        { hint: 'Nothing was done. Pass it once.' },
      );
    }
  }
}

function typeOf(input: ObjectJsonSchema | undefined, name: string): unknown {
  const properties = input?.['properties'];
  const property = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isRecord(property) ? property['type'] : undefined;
}

/** What does not look like its type stays a text, which the tool refuses. A flag such as `?blame` is true. */
function parseParameter(name: string, value: string, type: unknown): unknown {
  if (type === 'boolean' && (value === '' || value === 'true')) return true;
  if (value === '') throw emptyParameter(name);
  if (type === 'boolean' && value === 'false') return false;
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value;
}

/** An empty value is most likely an unset variable. */
function emptyParameter(name: string): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', `The query parameter ${name} is empty.`, {
    hint: 'Nothing was done. Give it a value, or leave it out.',
  });
}

function unknownParameter(name: string, known: readonly string[]): TrellisError {
  const accepted = known.length === 0 ? 'no query parameters' : known.join(', ');
  return new TrellisError(
    'INVALID_ARGUMENT',
    `Unknown query parameter ${JSON.stringify(name)}.${didYouMean(name, known)}`,
    { hint: `Nothing was done. This route accepts ${accepted}; arguments of a POST go into the body.` },
  );
}

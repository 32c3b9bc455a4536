import type { Command } from 'commander';
import type { Source } from '../../language/source.js';
import { TrellisError } from '../../model/error.js';
import type { ValueType } from '../../model/value-type.js';
import { parseQueries } from '../../query/parse-queries.js';

export interface ParamOptions {
  readonly param?: readonly string[];
  readonly params?: string;
}

export function paramOptions(command: Command): Command {
  return command
    .option('--name <query>', 'which query to run, if there are several')
    .option(
      '--param <name=value>',
      'the value of a parameter; repeatable',
      (one: string, before: readonly string[] = []) => [...before, one],
    )
    .option('--params <json>', 'the values of all parameters, as a JSON object');
}

/** The declared type of a parameter says how to read its value. */
export function parseParams(source: Source, name: string | undefined, options: ParamOptions): unknown {
  const { queries } = parseQueries(source);
  const query = queries.length === 1 ? queries[0] : queries.find((one) => one.name === name);
  const types = new Map(query?.parameters.map((parameter) => [parameter.name, parameter.type]));
  return parseParamFlags(options, (key) => isTextType(types.get(key)));
}

/** @param isText Whether the value of a parameter needs no quotes. */
export function parseParamFlags(
  { param = [], params }: ParamOptions,
  isText: (name: string) => boolean,
): unknown {
  if (params !== undefined && param.length > 0)
    throw new TrellisError('USAGE', '--param and --params are both given.', { hint: 'Give one of them.' });
  if (params !== undefined) return parseJsonFlag(params, '--params');
  return Object.fromEntries(
    param.map((given) => {
      const at = given.indexOf('=');
      if (at < 1)
        throw new TrellisError('USAGE', `--param ${given} has no value.`, {
          hint: 'Write it as --param name=value.',
        });
      const key = given.slice(0, at).replace(/^\$/, '');
      const value = given.slice(at + 1);
      return [key, isText(key) ? value : parseJsonFlag(value, `--param ${key}`)];
    }),
  );
}

/** In JSON these are strings; on the command line they need no quotes. Unknown parameters are refused elsewhere. */
function isTextType(type: ValueType | undefined): boolean {
  if (type === undefined || type.kind === 'enum') return true;
  if (type.kind !== 'scalar') return false;
  return !['Bool', 'I32', 'U32', 'F32', 'F64', 'I64', 'U64'].includes(type.scalar);
}

function parseJsonFlag(text: string, flag: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TrellisError('USAGE', `${flag} is not valid JSON: ${text.slice(0, 100)}`, {
      hint: 'Write a number as 7, a list as ["a","b"], a boolean as true.',
      cause: error,
    });
  }
}

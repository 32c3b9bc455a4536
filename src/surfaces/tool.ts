import type { z } from 'zod';
import type { Action, Permission } from '../access/permission.js';
import { TrellisError } from '../model/error.js';
import { isRecord } from '../model/is-record.js';
import type { ObjectJsonSchema } from '../model/json.js';
import type { CallContext } from './call-context.js';
import { jsonTextAsync } from './json-text.js';
import type { ToolAnnotations } from './tool-annotations.js';
import { parseArguments } from './tool-arguments.js';
import { lazyJsonSchema } from './tool-json-schema.js';

export { jsonText } from './json-text.js';

/** `structured` matches the output schema; `text` says the same for people and models. */
export interface ToolOutput {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly text: readonly string[];
  /** Said of a success only where clients of another server expect it. */
  readonly isError?: false;
}

type ArgumentAliases = Readonly<Record<string, string>>;

export interface ToolInput<A> {
  schema(): ObjectJsonSchema;
  /**
   * Throws `INVALID_ARGUMENT`.
   * @param calledAs What errors name; default: the tool.
   */
  parse(given: unknown, calledAs?: string): A;
}

export interface Tool<A = unknown> {
  readonly name: string;
  /** Other names that work but are not listed. */
  readonly aliases?: readonly string[];
  /** Its name in metrics, if its own would disclose what a graph holds. */
  readonly metricName?: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: ToolInput<A>;
  /** `structured` always matches it. */
  output?(): ObjectJsonSchema;
  /** Called without arguments when tools are listed, and with them when one is called. */
  permissions(args?: A): readonly Permission[];
  /** Reads may be cancelled; default: as the annotations say. */
  onlyReads?(args: A): boolean;
  /** Whether the nodes of the gate registry are hidden from it, as `Surface.hidesRegistry`. */
  readonly hidesRegistry?: boolean | undefined;
  run(call: CallContext, args: A): Promise<ToolOutput>;
}

/** A tool whose input and output are described with Zod. */
export interface ToolDefinition<I extends z.ZodObject, O extends z.ZodObject>
  extends Pick<
    Tool<z.output<I>>,
    'name' | 'aliases' | 'title' | 'description' | 'annotations' | 'onlyReads' | 'hidesRegistry'
  > {
  /** Other names of arguments that work but are not listed, with the names they stand for. */
  readonly argumentAliases?: ArgumentAliases;
  readonly input: I;
  readonly output: O;
  readonly action: Action | ((args?: z.output<I>) => readonly Permission[]);
  run(call: CallContext, args: z.output<I>): Promise<z.output<O>>;
  /** Default: the structured result as JSON. */
  text?(answer: z.output<O>): readonly string[] | Promise<readonly string[]>;
}

/** Results are trusted to match the output schema: tests check that, calls do not. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  definition: ToolDefinition<I, O>,
): Tool<z.output<I>> {
  const { name, aliases = [], argumentAliases, title, description, annotations, action } = definition;
  const permissions = typeof action === 'function' ? action : () => [{ action }];
  return {
    name,
    aliases,
    title,
    description,
    annotations,
    input: withArgumentAliases(zodInput(definition.input, name), name, argumentAliases),
    output: lazyJsonSchema(definition.output, 'output'),
    permissions,
    hidesRegistry: definition.hidesRegistry,
    onlyReads: (args) => definition.onlyReads?.(args) ?? annotations.readOnlyHint,
    async run(call, args) {
      const structured = await definition.run(call, args);
      return { structured, text: (await definition.text?.(structured)) ?? [await jsonTextAsync(structured)] };
    },
  };
}

/** Takes other names of arguments; null under one of them means that it is absent. */
function withArgumentAliases<A>(
  input: ToolInput<A>,
  tool: string,
  aliases: ArgumentAliases = {},
): ToolInput<A> {
  return {
    schema: input.schema,
    parse: (given, calledAs = tool) =>
      input.parse(isRecord(given) ? renameArguments(given, calledAs, aliases) : given, calledAs),
  };
}

function renameArguments(
  given: Readonly<Record<string, unknown>>,
  tool: string,
  aliases: ArgumentAliases,
): Readonly<Record<string, unknown>> {
  const renamed = new Map(Object.entries(given));
  for (const [alias, name] of Object.entries(aliases)) {
    const value = renamed.get(alias);
    if (!renamed.delete(alias) || value === undefined || value === null) continue;
    if ((renamed.get(name) ?? null) !== null)
      throw new TrellisError(
        'INVALID_ARGUMENT',
        `Invalid arguments for ${tool}: ${alias} is another name of ${name}, and both are given.`,
        { hint: `Nothing was done. Pass ${name} alone.` },
      );
    renamed.set(name, value);
  }
  return Object.fromEntries(renamed);
}

/** Shows clients `schema`, and parses arguments with `accepted`, which may take more. */
export function zodInput<S extends z.ZodObject>(
  schema: z.ZodObject,
  tool: string,
  accepted: S,
): ToolInput<z.output<S>>;
export function zodInput<S extends z.ZodObject>(schema: S, tool: string): ToolInput<z.output<S>>;
export function zodInput(schema: z.ZodObject, tool: string, accepted = schema): ToolInput<unknown> {
  return {
    schema: lazyJsonSchema(schema, 'input'),
    parse: (given, calledAs = tool) => parseArguments(accepted, calledAs, given),
  };
}

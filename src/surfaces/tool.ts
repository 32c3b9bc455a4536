import type { z } from 'zod';
import type { Action, Permission } from '../access/permission.js';
import type { ObjectJsonSchema } from '../model/json.js';
import type { CallContext } from './call-context.js';
import { jsonTextAsync } from './json-text.js';
import type { ToolAnnotations } from './tool-annotations.js';
import { parseArguments } from './tool-arguments.js';
import { lazyJsonSchema } from './tool-json-schema.js';

export { jsonText } from './json-text.js';

/** What a tool answers: data that matches its output schema, and the same as text blocks. */
export interface ToolOutput {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly text: readonly string[];
  /** Said of a success only where clients of another server expect it. */
  readonly isError?: false;
}

/** What a tool takes: its schema for clients, and the parser that enforces it. */
export interface ToolInput<A> {
  schema(): ObjectJsonSchema;
  /** Throws `INVALID_ARGUMENT` with what to mend. */
  parse(given: unknown): A;
}

/** The one type for every tool, static or generated. */
export interface Tool<A = unknown> {
  readonly name: string;
  /** Other names it can be called by, which no list shows. */
  readonly aliases?: readonly string[];
  /** What it is counted as, where its own name tells what a graph holds: figures are for people who may not know that. */
  readonly metricName?: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: ToolInput<A>;
  /** Closed; the structured answer always matches it. */
  output?(): ObjectJsonSchema;
  /** Asked when tools are listed, without arguments, and when one is called, with them. */
  permissions(args?: A): readonly Permission[];
  /** Whether a call only reads, and so may be ended; left out, as the annotations say. */
  onlyReads?(args: A): boolean;
  run(call: CallContext, args: A): Promise<ToolOutput>;
}

/** A tool whose input and output are described with Zod. */
export interface ToolDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  /** Other names it can be called by, which no list shows. */
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly annotations: ToolAnnotations;
  readonly action: Action | ((args?: z.output<I>) => readonly Permission[]);
  /** Whether a call only reads, and so may be ended; left out, as the annotations say. */
  onlyReads?(args: z.output<I>): boolean;
  run(call: CallContext, args: z.output<I>): Promise<z.output<O>>;
  /** The answer as text; left out, it is the structured answer as JSON. */
  text?(answer: z.output<O>): readonly string[] | Promise<readonly string[]>;
}

/** Makes a tool of its definition. The answer is trusted to match the output schema: tests check that, calls do not. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  definition: ToolDefinition<I, O>,
): Tool<z.output<I>> {
  const { name, aliases = [], title, description, annotations, action } = definition;
  const permissions = typeof action === 'function' ? action : constant([{ action }]);
  return {
    name,
    aliases,
    title,
    description,
    annotations,
    input: {
      schema: lazyJsonSchema(definition.input, 'input'),
      parse: (given) => parseArguments(definition.input, name, given),
    },
    output: lazyJsonSchema(definition.output, 'output'),
    permissions,
    onlyReads: (args) => definition.onlyReads?.(args) ?? annotations.readOnlyHint,
    async run(call, args) {
      const structured = await definition.run(call, args);
      return { structured, text: (await definition.text?.(structured)) ?? [await jsonTextAsync(structured)] };
    },
  };
}

function constant<T>(value: T): () => T {
  return () => value;
}

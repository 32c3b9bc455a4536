import type { z } from 'zod';
import type { Action } from '../../access/permission.js';
import type { Annotations } from '../annotations.js';
import type { Call } from '../call.js';
import { lazySchema, type ObjectSchema } from '../json-schema.js';
import { printedAnswer } from '../json-text.js';
import type { Tool } from '../tool.js';
import { withOutcome } from './envelope.js';
import { withSimilarNames } from './similar-names.js';
import { timed } from './timed.js';

/** What a tool of this surface has done, before it is put into its envelope. */
export interface Outcome<D> {
  readonly data: D;
  readonly actionTaken: string;
  readonly warnings?: readonly string[];
}

/** A tool of this surface: what it answers as `data`, and how it reads its arguments. */
export interface MeshToolDefinition<A, D extends z.ZodObject> {
  readonly name: string;
  /** What it is counted as, if not under its name. */
  readonly countedAs?: string;
  readonly title: string;
  readonly description: string;
  /** What clients are shown. */
  inputSchema(): ObjectSchema;
  /** Takes what is shown, and the forms that clients of the original server send. */
  parse(given: unknown): A;
  readonly data: D;
  readonly annotations: Annotations;
  readonly action: Action;
  /** Of a tool that answers more than it was given: what it answers to whoever may not read. */
  readonly dataWithoutRead?: z.output<D>;
  run(call: Call, args: A): Promise<Outcome<z.output<D>>>;
}

/** Makes a tool that answers `{data, actionTaken, timestamp}`, stamped with the time of its commit. */
export function defineMeshTool<A, D extends z.ZodObject>(definition: MeshToolDefinition<A, D>): Tool<A> {
  const { name, countedAs, title, description, annotations, action, data } = definition;
  return {
    name,
    ...(countedAs === undefined ? {} : { countedAs }),
    title,
    description,
    annotations,
    input: { schema: () => definition.inputSchema(), parse: (given) => definition.parse(given) },
    output: outputOf(data),
    permissions: () => [{ action }],
    async run(call, args) {
      const { call: timedCall, time } = timed(call);
      const outcome = told(
        call,
        definition,
        await withSimilarNames(call, () => definition.run(timedCall, args)),
      );
      const structured = {
        data: outcome.data,
        actionTaken: outcome.actionTaken,
        timestamp: new Date(time()).toISOString(),
        ...(outcome.warnings === undefined || outcome.warnings.length === 0
          ? {}
          : { warnings: outcome.warnings }),
      };
      return { structured, text: [await printedAnswer(structured)], isError: false };
    },
  };
}

/** The outcome as the caller may hear it: warnings too speak of what is stored. */
function told<A, D extends z.ZodObject>(
  { may }: Call,
  { dataWithoutRead }: MeshToolDefinition<A, D>,
  outcome: Outcome<z.output<D>>,
): Outcome<z.output<D>> {
  if (may([{ action: 'read' }])) return outcome;
  const { data, actionTaken } = outcome;
  if (dataWithoutRead === undefined) return { data, actionTaken };
  return { data: dataWithoutRead, actionTaken, warnings: [notShown] };
}

const notShown = 'What is stored now is not shown, since you may not read this graph.';

const outputs = new WeakMap<z.ZodObject, () => ObjectSchema>();

/** Tools that answer with the same data share their schema: with many schema files there are hundreds of them. */
function outputOf(data: z.ZodObject): () => ObjectSchema {
  const output = outputs.get(data) ?? withOutcome(lazySchema(data, 'output'));
  outputs.set(data, output);
  return output;
}

import type { z } from 'zod';
import type { Action } from '../../access/permission.js';
import type { ObjectJsonSchema } from '../../model/json.js';
import type { CallContext } from '../call-context.js';
import { jsonTextAsync } from '../json-text.js';
import type { Tool } from '../tool.js';
import type { ToolAnnotations } from '../tool-annotations.js';
import { lazyJsonSchema } from '../tool-json-schema.js';
import { envelopeSchema } from './mesh-envelope.js';
import { withSimilarNames } from './mesh-similar-names.js';

/** What a tool of this surface has done, before it is put into its envelope. */
export interface MeshToolOutput<D> {
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
  inputSchema(): ObjectJsonSchema;
  /** Takes what is shown, and the forms that clients of the original server send. */
  parse(given: unknown): A;
  readonly data: D;
  readonly annotations: ToolAnnotations;
  readonly action: Action;
  /** Of a tool that answers more than it was given: what it answers to whoever may not read. */
  readonly dataWithoutRead?: z.output<D>;
  run(call: CallContext, args: A): Promise<MeshToolOutput<z.output<D>>>;
}

/** Makes a tool that answers `{data, actionTaken, timestamp}`, stamped with the time of its commit. */
export function defineMeshTool<A, D extends z.ZodObject>(definition: MeshToolDefinition<A, D>): Tool<A> {
  const { name, countedAs, title, description, annotations, action, data } = definition;
  return {
    name,
    ...(countedAs === undefined ? {} : { metricName: countedAs }),
    title,
    description,
    annotations,
    input: { schema: () => definition.inputSchema(), parse: (given) => definition.parse(given) },
    output: sharedOutputSchema(data),
    permissions: () => [{ action }],
    async run(call, args) {
      const { call: timedCall, time } = trackCommitTime(call);
      const outcome = redactOutput(
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
      return { structured, text: [await jsonTextAsync(structured)], isError: false };
    },
  };
}

/** The outcome as the caller may hear it: warnings too speak of what is stored. */
function redactOutput<A, D extends z.ZodObject>(
  { may }: CallContext,
  { dataWithoutRead }: MeshToolDefinition<A, D>,
  outcome: MeshToolOutput<z.output<D>>,
): MeshToolOutput<z.output<D>> {
  if (may([{ action: 'read' }])) return outcome;
  const { data, actionTaken } = outcome;
  if (dataWithoutRead === undefined) return { data, actionTaken };
  return { data: dataWithoutRead, actionTaken, warnings: [notShownWarning] };
}

const notShownWarning = 'The stored data is not shown, because you have no read permission on this graph.';

const outputs = new WeakMap<z.ZodObject, () => ObjectJsonSchema>();

/** Tools that answer with the same data share their schema: with many schema files there are hundreds of them. */
function sharedOutputSchema(data: z.ZodObject): () => ObjectJsonSchema {
  const output = outputs.get(data) ?? envelopeSchema(lazyJsonSchema(data, 'output'));
  outputs.set(data, output);
  return output;
}

/** A call that remembers when it happened: at the time of its commit, or, if it wrote nothing, now. */
function trackCommitTime(call: CallContext): { readonly call: CallContext; time(): number } {
  let written: number | undefined;
  return {
    call: {
      ...call,
      graph: {
        ...call.graph,
        write: (work) =>
          call.graph.write((tx) => {
            written = tx.rows.now;
            return work(tx);
          }),
      },
    },
    time: () => written ?? call.now(),
  };
}

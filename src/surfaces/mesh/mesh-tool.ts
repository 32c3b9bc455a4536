import type { z } from 'zod';
import type { Action } from '../../access/permission.js';
import type { ObjectJsonSchema } from '../../model/json.js';
import type { CallContext } from '../call-context.js';
import { pageExtras } from '../common-shapes.js';
import { jsonTextAsync } from '../json-text.js';
import type { Tool } from '../tool.js';
import { lazyJsonSchema } from '../tool-json-schema.js';
import { envelopeSchema } from './mesh-envelope.js';
import { withSimilarNames } from './mesh-similar-names.js';

interface MeshToolOutput<D> {
  readonly data: D;
  readonly actionTaken: string;
  readonly warnings?: readonly string[];
}

interface MeshToolDefinition<A, D extends z.ZodObject>
  extends Pick<Tool<A>, 'name' | 'metricName' | 'title' | 'description' | 'annotations' | 'input'> {
  readonly data: D;
  readonly action: Action;
  /** Replaces the data for callers without `read`, if it shows more than they sent. */
  readonly dataWithoutRead?: z.output<D>;
  run(call: CallContext, args: A): Promise<MeshToolOutput<z.output<D>>>;
}

/** Wraps results as `{data, actionTaken, timestamp}`; the timestamp is that of the commit. */
export function defineMeshTool<A, D extends z.ZodObject>(definition: MeshToolDefinition<A, D>): Tool<A> {
  const { data, action, dataWithoutRead, run, ...tool } = definition;
  return {
    ...tool,
    output: sharedOutputSchema(data),
    permissions: () => [{ action }],
    async run(call, args) {
      const { call: timedCall, time } = trackCommitTime(call);
      const done = await withSimilarNames(call, () => run(timedCall, args));
      const outcome = call.may([{ action: 'read' }]) ? done : redactOutput(done, dataWithoutRead);
      const { actionTaken, warnings } = outcome;
      const timestamp = new Date(time()).toISOString();
      const structured = { data: outcome.data, actionTaken, timestamp, ...pageExtras({ warnings }) };
      return { structured, text: [await jsonTextAsync(structured)], isError: false };
    },
  };
}

/** Drops warnings too: they may speak of what is stored. */
function redactOutput<D>(
  { data, actionTaken }: MeshToolOutput<D>,
  redacted: D | undefined,
): MeshToolOutput<D> {
  if (redacted === undefined) return { data, actionTaken };
  return { data: redacted, actionTaken, warnings: [notShownWarning] };
}

const notShownWarning = 'The stored data is not shown, because you have no read permission on this graph.';

const outputs = new WeakMap<z.ZodObject, () => ObjectJsonSchema>();

/** Tools with the same data share a schema: schema files can make hundreds of tools. */
function sharedOutputSchema(data: z.ZodObject): () => ObjectJsonSchema {
  const output = outputs.get(data) ?? envelopeSchema(lazyJsonSchema(data, 'output'));
  outputs.set(data, output);
  return output;
}

/** `time` is that of the commit or, if nothing was written, now. */
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

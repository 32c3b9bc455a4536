import { type Context, Hono } from 'hono';
import { TrellisError } from '../../../model/error.js';
import { ingestLimits } from '../../../model/limits.js';
import { runUnlisted } from '../../../surfaces/dispatch.js';
import { exportGraph, exportInput } from '../../../surfaces/graph/export-graph.js';
import { graphIngest } from '../../../surfaces/graph/graph-ingest.js';
import { ingestStreamTool } from '../../../surfaces/graph/graph-ingest-stream.js';
import { lazyJsonSchema } from '../../../surfaces/tool-json-schema.js';
import type { AppOptions } from '../app.js';
import { bodyBytes } from '../limits/body-bytes.js';
import type { Env } from '../middleware.js';
import { surfaceAddressOf } from '../surface-address.js';
import { handleRestErrors } from './rest-errors.js';
import {
  type ArgumentSource,
  bodyArguments,
  condition,
  queryArguments,
  readAllArguments,
} from './route-arguments.js';

export const exportSchema = lazyJsonSchema(exportInput, 'input');

/** The second and third for clients of Omnigraph; the third takes lines alone. */
export const ingestPaths = ['ingest', 'load', 'load/ndjson'] as const;

export const ndjsonType = 'application/x-ndjson';

/** Neither direction holds a graph in memory as text. */
export function streamRoutes(options: AppOptions): Hono<Env> {
  const { endpoints, limits } = options;
  const app = new Hono<Env>();
  for (const path of ingestPaths)
    app.post(`/${path}`, async (context) => {
      const address = surfaceAddressOf(context.req);
      const { origin } = context.var;
      // The tool's arguments as JSON, or the lines themselves.
      if (path !== 'load/ndjson' && isJson(context.req.header('content-type'))) {
        const given = await readAllArguments(context, [bodyArguments, condition], limits.depth);
        return context.json((await endpoints.run(address, origin, graphIngest.name, given)).structured);
      }
      const declared = Number(context.req.header('content-length') ?? 0);
      if (declared > ingestLimits.requestBytes) throw batchTooLong();
      const given = await readAllArguments(
        context,
        [queryArguments('mode', 'cascade', 'branch', 'from', 'if_commit', 'message'), condition],
        limits.depth,
        graphIngest.input.schema(),
      );
      const { structured } = await endpoints.use(address, origin, (request) =>
        runUnlisted(request, ingestStreamTool(bodyThenAdmit(context)), given),
      );
      return context.json(structured);
    });
  const exported = async (context: Context<Env>, args: ArgumentSource) => {
    const given = await readAllArguments(context, [args], limits.depth, exportSchema());
    const pages = await endpoints.use(surfaceAddressOf(context.req), context.var.origin, (request) =>
      exportGraph(request, given),
    );
    context.set('isStreamed', true);
    const lines = streamOf(pages, () => context.env.outgoing.destroy());
    return context.body(lines, 200, { 'Content-Type': `${ndjsonType}; charset=utf-8` });
  };
  app.get('/export', (context) => exported(context, queryArguments('branch', 'snapshot', 'ids')));
  app.post('/export', (context) => exported(context, bodyArguments));
  return handleRestErrors(app, options);
}

/** Nothing is written before all lines have arrived and the request is admitted. */
async function* bodyThenAdmit(context: Context<Env>): AsyncGenerator<Uint8Array> {
  yield* bodyBytes(context);
  await context.var.admit();
}

/** Compares the whole type: some names of JSON lines start with that of JSON. */
function isJson(contentType = ''): boolean {
  return contentType.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

/** A page that cannot be read aborts the response, so that it does not look complete. */
export function streamOf(pages: AsyncGenerator<string>, breakOff: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await pages.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch {
        // Already reported where the pages are made.
        breakOff();
        controller.close();
      }
    },
    async cancel() {
      await pages.return(undefined);
    },
  });
}

function batchTooLong(): TrellisError {
  return new TrellisError('LIMIT_EXCEEDED', `The batch is longer than ${ingestLimits.requestBytes} bytes.`, {
    hint: 'Nothing was written. Send it in several batches, nodes before the edges that name them.',
    details: { bytes: ingestLimits.requestBytes },
  });
}

import { type Context, Hono } from 'hono';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph.js';
import { ingestLimits } from '../../model/limits.js';
import { runUnlisted } from '../../surfaces/dispatch.js';
import { exportGraph } from '../../surfaces/graph/export-graph.js';
import { ingest } from '../../surfaces/graph/ingest.js';
import { ingestStream } from '../../surfaces/graph/ingest-stream.js';
import type { AppOptions } from '../app.js';
import type { Env } from '../middleware.js';
import { argumentsIn, body, query } from './arguments.js';
import { callerOf } from './caller.js';
import { answerRestErrors } from './rest-errors.js';

/** What lines of JSON are called between programs. */
export const linesType = 'application/x-ndjson';

/** Graphs as lines, in and out, to be mounted at `/graphs/:graph`; neither way is one held in memory as text. */
export function streamRoutes(options: AppOptions): Hono<Env> {
  const { endpoints, limits } = options;
  const app = new Hono<Env>();
  app.post('/ingest', async (context) => {
    const place = placeOf(context);
    // The tool's arguments as JSON, or the lines themselves.
    if (isJson(context.req.header('content-type'))) {
      const given = await argumentsIn(context, body, limits.depth);
      return context.json((await endpoints.run(place, callerOf(context), ingest.name, given)).structured);
    }
    const declared = Number(context.req.header('content-length') ?? 0);
    if (declared > ingestLimits.requestBytes) throw tooLong();
    const given = await argumentsIn(context, query('mode', 'branch', 'from'), limits.depth);
    const { structured } = await endpoints.use(place, callerOf(context), (binding) =>
      runUnlisted(binding, ingestStream(bytesOf(context)), given),
    );
    return context.json(structured);
  });
  app.get('/export', async (context) => {
    const { branch, snapshot } = context.req.query();
    const pages = await endpoints.use(placeOf(context), callerOf(context), (binding) =>
      exportGraph(binding, { branch, snapshot }),
    );
    return context.body(streamOf(pages), 200, { 'Content-Type': `${linesType}; charset=utf-8` });
  });
  return answerRestErrors(app, options);
}

/** Lines go by many names, some of which begin like that of JSON. */
function isJson(contentType = ''): boolean {
  return contentType.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

function placeOf(context: Context<Env>) {
  return { graph: context.req.param('graph') ?? '', branch: mainBranch, surface: 'graph' };
}

async function* bytesOf(context: Context<Env>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of context.req.raw.body ?? []) yield chunk;
  } catch (error) {
    throw new TrellisError('INVALID_ARGUMENT', 'The lines broke off before they were complete.', {
      hint: 'Nothing was written. Send all of them again.',
      cause: error,
    });
  }
}

/** Reads a page when whoever receives has room for it. */
function streamOf(pages: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pages.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pages.return(undefined);
    },
  });
}

function tooLong(): TrellisError {
  return new TrellisError('LIMIT_EXCEEDED', `The batch is longer than ${ingestLimits.requestBytes} bytes.`, {
    hint: 'Nothing was written. Send it in several batches, nodes before the edges that name them.',
    details: { bytes: ingestLimits.requestBytes },
  });
}

import type { ServerResponse } from 'node:http';
import { Hono } from 'hono';
import { z } from 'zod';
import type { BranchSignal } from '../../../engine/history/branch-signal.js';
import { publicError } from '../../../model/public-error.js';
import { graphCommitsChanges } from '../../../surfaces/graph/graph-commits-changes.js';
import { accepts } from '../accept-header.js';
import type { AppOptions } from '../app.js';
import { responseFinished } from '../limits/response-finished.js';
import type { Env } from '../middleware.js';
import { surfaceAddressOf } from '../surface-address.js';
import { handleRestErrors } from './rest-errors.js';
import { queryArguments, readAllArguments } from './route-arguments.js';
import { streamOf } from './stream-routes.js';

export const eventStreamType = 'text/event-stream';
export const changesArguments = queryArguments('since', 'branch', 'limit');

/** As much as has to be known of a page of `commits_changes`. */
const pageShape = z.object({
  entries: z.array(z.looseObject({ cursor: z.string() })),
  cursor: z.string(),
  has_more: z.boolean(),
});

type Page = z.output<typeof pageShape>;

/** `GET changes` for clients that accept events only; others get a page. */
export function changeStreamRoute(options: AppOptions): Hono<Env> {
  const { endpoints, streams, limits, heartbeatMs = 15_000, report } = options;
  const app = new Hono<Env>();
  app.get('/changes', async (context, next) => {
    const accept = context.req.header('accept') ?? null;
    if (!accepts(accept, eventStreamType) || accepts(accept, 'application/json')) return next();
    const address = surfaceAddressOf(context.req);
    const { origin } = context.var;
    const { outgoing } = context.env;
    const input = graphCommitsChanges.input.schema();
    const given = await readAllArguments(context, [changesArguments], limits.depth, input);
    const read = async (since: unknown): Promise<Page> => {
      const { structured } = await endpoints.run(address, origin, graphCommitsChanges.name, {
        ...given,
        ...(since === undefined ? {} : { since }),
      });
      return pageShape.parse(structured);
    };
    // Whoever reconnects goes on where the last event was. What is wrong with a request is said before the stream begins.
    const first = await read(context.req.header('last-event-id'));
    streams.admit(origin.actor.id, outgoing);
    const { may } = await (await endpoints.at(address, origin)).contextFor(origin);
    const branch = typeof given['branch'] === 'string' ? given['branch'] : address.branch;
    const signal = await endpoints.follow(address.graph, branch);
    responseFinished(context.env).then(() => signal.close());
    context.set('isStreamed', true);
    context.set('isListening', true);
    const events = follow(first, {
      read,
      signal,
      outgoing,
      heartbeatMs,
      mayRead: () => may([{ action: 'read', branch }]),
      report: (error) => publicError(error, { isRemote: true, report }),
    });
    return context.body(
      streamOf(events, () => outgoing.destroy()),
      200,
      { 'Content-Type': eventStreamType, 'X-Accel-Buffering': 'no' },
    );
  });
  return handleRestErrors(app, options);
}

interface Following {
  readonly signal: BranchSignal;
  readonly outgoing: ServerResponse;
  readonly heartbeatMs: number;
  read(since: string): Promise<Page>;
  /** The policy may change while a stream is open. */
  mayRead(): boolean;
  report(error: unknown): void;
}

/** Ends when the branch is gone, the actor may no longer read it, or the client hangs up. */
async function* follow(
  first: Page,
  { signal, outgoing, heartbeatMs, read, mayRead, report }: Following,
): AsyncGenerator<string> {
  try {
    yield 'retry: 1000\n\n';
    for (let page = first, known = ''; ; page = await read(page.cursor)) {
      for (const entry of page.entries) {
        if (!mayRead()) return;
        const { cursor, ...data } = entry;
        yield `id: ${cursor}\nevent: commit\ndata: ${JSON.stringify(data)}\n\n`;
        known = cursor;
      }
      // Also without an event: whoever reconnects must not miss what came between.
      if (page.cursor !== known) yield `id: ${page.cursor}\n\n`;
      else if (page.entries.length === 0) yield ': still here\n\n';
      known = page.cursor;
      // The first page was read before the watch began.
      if (page.has_more || page === first) continue;
      await signal.wait(heartbeatMs);
      if (outgoing.closed) return;
    }
  } catch (error) {
    report(error);
  } finally {
    signal.close();
  }
}

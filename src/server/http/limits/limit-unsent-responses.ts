import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import { rpcError } from '../http-errors.js';
import type { Metrics } from '../metrics.js';
import type { Env } from '../middleware.js';
import type { BufferedBytes } from './buffered-bytes.js';
import { responseFinished } from './response-finished.js';
import type { ServerLimits } from './server-limits.js';

export interface UnsentResponseOptions {
  readonly limits: ServerLimits;
  readonly metrics: Metrics;
  /** Answers that wait to be read. */
  readonly unsent: BufferedBytes;
}

/** Bytes that are sent at a time; an answer of no more is never refused. */
const chunkBytes = 65_536;

/**
 * Keeps answers that nobody reads from filling the memory: each counts until it is sent, those of one actor and of all
 * have a bound, and one of which nothing is taken is broken off.
 */
export function limitUnsentResponses({
  limits,
  metrics,
  unsent,
}: UnsentResponseOptions): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    const { outgoing } = context.env;
    setSendTimeout(outgoing, limits.sendMs);
    // What is streamed is made as it is read.
    if (context.res === RESPONSE_ALREADY_SENT || context.var.staysOpen === true) return;
    const { status, headers } = context.res;
    const bytes = new Uint8Array(await context.res.arrayBuffer());
    if (bytes.length === 0) return;
    // Without a token everybody is one.
    const actor = context.var.origin?.actor.id ?? '';
    const before = unsent.of(actor);
    // One alone is sent, however long it is.
    if (before > 0 && bytes.length > chunkBytes && before + bytes.length > limits.unsentBytes) {
      metrics.denied('unread');
      const message = `The request was executed, but its response of ${bytes.length} bytes cannot be sent: ${before} bytes of responses to you are unread, and the limit is ${limits.unsentBytes}. Read them or close their connections, then try again.`;
      context.res = undefined;
      context.res = context.json(rpcError(message), 503, { 'Retry-After': '5' });
      return;
    }
    const held = unsent.hold(actor, () => outgoing.destroy(), bytes.length);
    responseFinished(context.env).then(held.release);
    unsent.abortUntilBelow(limits.unsentBytesTotal);
    // Hono would take over the headers once more, and make a stream of the bytes.
    context.res = undefined;
    if (bytes.length <= chunkBytes) context.res = new Response(bytes, { status, headers });
    else {
      headers.set('Content-Length', String(bytes.length));
      context.res = new Response(inChunks(bytes), { status, headers });
    }
  };
}

/** Portion by portion, each when the one before has been taken, so that it can be seen whether anybody reads. */
function inChunks(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + chunkBytes));
        at += chunkBytes;
        if (at >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Breaks off an answer of which nothing was taken for so many milliseconds. */
function setSendTimeout(outgoing: ServerResponse, milliseconds: number): void {
  if (outgoing.closed) return;
  const timer = setTimeout(() => {
    // A stream that has nothing to say keeps nobody waiting.
    if (outgoing.writableLength > 0) outgoing.destroy();
    else timer.refresh();
  }, milliseconds);
  timer.unref();
  const taken = () => timer.refresh();
  outgoing.on('drain', taken);
  outgoing.once('close', () => {
    clearTimeout(timer);
    outgoing.off('drain', taken);
  });
}

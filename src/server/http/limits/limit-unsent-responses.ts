import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import { rpcError } from '../http-errors.js';
import type { Metrics } from '../metrics.js';
import type { Env } from '../middleware.js';
import type { BufferedBytes } from './buffered-bytes.js';
import { responseFinished } from './response-finished.js';
import type { ServerLimits } from './server-limits.js';

export interface LoadLimitOptions {
  readonly limits: ServerLimits;
  readonly metrics: Metrics;
  readonly unsent: BufferedBytes;
}

/** A response this short is never refused. */
const chunkBytes = 65_536;

/** Keeps unread responses from filling memory: each counts until it is sent, per actor and in all; a stalled one is aborted. */
export function limitUnsentResponses({ limits, metrics, unsent }: LoadLimitOptions): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    const { outgoing } = context.env;
    setSendTimeout(outgoing, limits.sendMs);
    // Streams are produced as they are read.
    if (context.res === RESPONSE_ALREADY_SENT || context.var.isStreamed === true) return;
    const { status, headers } = context.res;
    const chunks = context.var.bodyChunks ?? [new Uint8Array(await context.res.arrayBuffer())];
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (length === 0) return;
    // Requests without a token share one account.
    const actor = context.var.origin?.actor.id ?? '';
    const before = unsent.of(actor);
    // A single response is sent however long it is.
    if (before > 0 && length > chunkBytes && before + length > limits.unsentBytes) {
      metrics.denied('unread');
      const message = `The request was executed, but its response of ${length} bytes cannot be sent: ${before} bytes of responses to you are unread, and the limit is ${limits.unsentBytes}. Read them or close their connections, then try again.`;
      context.res = undefined;
      context.res = context.json(rpcError(message), 503, { 'Retry-After': '5' });
      return;
    }
    const held = unsent.hold(actor, () => outgoing.destroy(), length);
    responseFinished(context.env).then(held.release);
    unsent.abortUntilBelow(limits.unsentBytesTotal);
    // Hono would copy the headers again and turn the bytes into a stream.
    context.res = undefined;
    const [first = new Uint8Array()] = chunks;
    if (first.length === length && length <= chunkBytes)
      context.res = new Response(first, { status, headers });
    else {
      headers.set('Content-Length', String(length));
      context.res = new Response(streamOf(chunks), { status, headers });
    }
  };
}

/** One chunk at a time, so that a client that does not read is noticed. */
function streamOf(chunks: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array> {
  const pieces = piecesOf(chunks);
  return new ReadableStream(
    {
      pull(controller) {
        const { value, done } = pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

function* piecesOf(chunks: readonly Uint8Array<ArrayBuffer>[]): Generator<Uint8Array, undefined> {
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += chunkBytes) yield chunk.subarray(at, at + chunkBytes);
}

function setSendTimeout(outgoing: ServerResponse, milliseconds: number): void {
  if (outgoing.closed) return;
  const timer = setTimeout(() => {
    // An idle stream keeps nobody waiting.
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

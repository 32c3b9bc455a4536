import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import { ulid } from 'ulid';
import type { AccessControl } from '../../access/access-control.js';
import { type Actor, isSameActor } from '../../access/actor.js';
import { authenticationFailureOf } from '../../access/authenticator.js';
import type { Credentials } from '../../access/bearer-token.js';
import { InFlight } from '../../bounds/in-flight.js';
import { asTrellisError } from '../../model/error.js';
import { RequestOrigin } from '../../surfaces/request-context.js';
import type { Logger } from '../logger.js';
import { crossSiteRefusal, hostRefusal } from './allowed-hosts.js';
import { endResponseWhen } from './end-response-when.js';
import { probePaths } from './health-routes.js';
import { rpcError } from './http-errors.js';
import type { HttpOptions } from './http-options.js';
import type { BufferReservation } from './limits/buffered-bytes.js';
import { FairRequestQueue } from './limits/fair-request-queue.js';
import { responseFinished } from './limits/response-finished.js';
import type { Metrics } from './metrics.js';
import { targetProblem } from './request-target.js';

export interface MiddlewareOptions extends Pick<HttpOptions, 'allowed'> {
  readonly access: AccessControl;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly calls: InFlight;
  readonly state: { readonly stopping: boolean };
}

export interface Env {
  Bindings: { incoming: IncomingMessage; outgoing: ServerResponse };
  Variables: {
    requestId: string;
    origin: RequestOrigin;
    /** Waits for the turn of a request that has arrived; throws if it makes too many calls. */
    admit: (calls?: number) => Promise<void>;
    trackBody: () => BufferReservation;
    /** Streams of changes do not count as calls. */
    isListening?: boolean;
    isStreamed?: boolean;
    /** Sent instead of the body of the response. */
    bodyChunks?: readonly Uint8Array<ArrayBuffer>[];
  };
}

const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

/** Looking at a request takes time too: many that arrive at once are looked at in slices, in their order. */
export function startInSlices(): MiddlewareHandler<Env> {
  const arrived = new FairRequestQueue();
  return async (_, next) => {
    await arrived.enter('');
    await next();
  };
}

export function observeRequests({ metrics, log }: MiddlewareOptions): MiddlewareHandler<Env> {
  return async (context, next) => {
    const given = context.req.header('X-Request-Id');
    const requestId = given !== undefined && /^[\w.:-]{1,128}$/.test(given) ? given : ulid();
    context.set('requestId', requestId);
    const { incoming, outgoing } = context.env;
    // On the response itself: a stream sends its headers without passing here again.
    outgoing.setHeader('X-Request-Id', requestId);
    for (const [name, value] of Object.entries(securityHeaders)) outgoing.setHeader(name, value);
    const start = performance.now();
    await next();
    // The rest of an unread body would be taken for the next request, so the client must reconnect.
    if (!incoming.complete && !outgoing.headersSent) outgoing.setHeader('Connection', 'close');
    const { status } = context.res;
    responseFinished(context.env).then(() => {
      metrics.answered(status);
      log.debug(
        {
          request: requestId,
          method: context.req.method,
          path: context.req.path,
          status,
          actor: context.var.origin?.actor.id,
          milliseconds: performance.now() - start,
        },
        'request',
      );
    });
  };
}

export function checkHostAndPath({ allowed, metrics, state }: MiddlewareOptions): MiddlewareHandler<Env> {
  return async (context, next) => {
    // As sent: URL parsers resolve dot segments.
    const problem = targetProblem(context.env.incoming.url);
    if (problem !== undefined)
      return context.json(rpcError(`The path of the request is invalid: ${problem}.`), 400);
    const { req } = context;
    // Those who probe a server use its address, whatever its name is.
    const host = probePaths.has(req.path) ? 'localhost' : req.header('host');
    const refused =
      hostRefusal(host, req.header('origin'), allowed) ??
      crossSiteRefusal(req.method, (name) => req.header(name));
    if (refused !== undefined) {
      metrics.denied('origin');
      return context.json(rpcError(refused), 403);
    }
    if (state.stopping)
      return context.json(rpcError('The server is shutting down.'), 503, { Connection: 'close' });
    return next();
  };
}

export function authenticateRequests(options: MiddlewareOptions): MiddlewareHandler<Env> {
  const { access, metrics, log, calls } = options;
  return async (context, next) => {
    const { raw, url } = context.req;
    const credentials = { headers: raw.headers, url };
    try {
      const actor = await access.authenticate(credentials);
      context.set('origin', new RequestOrigin(actor, context.var.requestId, new InFlight(calls), raw.signal));
    } catch (error) {
      metrics.denied('unauthenticated');
      log.warn(
        { request: context.var.requestId, reason: authenticationFailureOf(error)?.message },
        'unauthenticated',
      );
      throw error;
    }
    await next();
    if (access.required && context.var.isStreamed === true)
      endResponseWhen(context.env.outgoing, () =>
        isTokenRevoked(access, credentials, context.var.origin.actor),
      );
  };
}

async function isTokenRevoked(
  access: AccessControl,
  credentials: Credentials,
  actor: Actor,
): Promise<boolean> {
  try {
    return !isSameActor(await access.authenticate(credentials), actor);
  } catch (error) {
    // While nobody can tell whether a token is valid, it stays so.
    return asTrellisError(error).code === 'UNAUTHENTICATED';
  }
}

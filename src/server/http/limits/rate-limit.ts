import type { Context, MiddlewareHandler } from 'hono';
import type { InFlight } from '../../../bounds/in-flight.js';
import { systemClock } from '../../../model/clock.js';
import { TrellisError } from '../../../model/error.js';
import { limits as answerLimits } from '../../../model/limits.js';
import type { Env } from '../middleware.js';
import { ActorRateLimiter, type RateLimitRefusal } from './actor-rate-limiter.js';
import { FairRequestQueue } from './fair-request-queue.js';
import type { LoadLimitOptions } from './limit-unsent-responses.js';
import { responseFinished } from './response-finished.js';

/** The longest response, which contains its data twice. */
const maxResponseBytes = 2 * answerLimits.answerLength;

/** A request counts from its complete arrival, so that a slow sender blocks nobody, until its response is sent. */
export function rateLimit({ limits, metrics, unsent }: LoadLimitOptions): MiddlewareHandler<Env> {
  const budgets = new ActorRateLimiter(limits, systemClock);
  const entrance = new FairRequestQueue();
  return async (context, next) => {
    const { origin } = context.var;
    const actor = origin.actor.id;
    // Before it is read: what will be refused need not arrive.
    const refused = budgets.refusal(actor);
    if (refused !== undefined) throw tooMany(refused);
    if (unsent.of(actor) > Math.max(0, limits.unsentBytes - maxResponseBytes)) throw unread(unsent.of(actor));
    let done: (() => void) | undefined;
    context.set('admit', async (count = 1) => {
      if (done !== undefined) return;
      if (count > limits.concurrency) throw tooLarge(count);
      const admission = budgets.admit(actor, count);
      if (!admission.admitted) throw tooMany(admission);
      done = admission.done;
      await entrance.enter(actor);
    });
    if (!mayHaveBody(context)) await context.var.admit();
    await next();
    if (done === undefined) {
      if (!wasCutOff(context)) budgets.charge(actor);
      return;
    }
    requestFinished(context, origin.calls).then(done);
  };

  function tooMany({ reason, retryAfterSeconds }: RateLimitRefusal): TrellisError {
    metrics.denied(reason);
    const most =
      reason === 'rate'
        ? `${limits.requestsPerMinute} requests a minute`
        : `${limits.concurrency} requests at a time`;
    return new TrellisError('SERVER_BUSY', `Too many requests: at most ${most} for each actor.`, {
      details: { retryAfterSeconds },
    });
  }

  function unread(bytes: number): TrellisError {
    metrics.denied('unread');
    return new TrellisError(
      'SERVER_BUSY',
      `${bytes} bytes of responses to you are unread; the limit is ${limits.unsentBytes}.`,
      { hint: 'Nothing was done. Read them, or close their connections.', details: { retryAfterSeconds: 5 } },
    );
  }

  function tooLarge(count: number): TrellisError {
    return new TrellisError(
      'LIMIT_EXCEEDED',
      `The batch has ${count} calls, and at most ${limits.concurrency} may run at a time.`,
      { hint: 'Nothing was done. Send smaller batches.' },
    );
  }
}

function mayHaveBody({ req: { method } }: Context<Env>): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'DELETE' && method !== 'OPTIONS';
}

function wasCutOff({ env: { incoming } }: Context<Env>): boolean {
  return !incoming.complete && incoming.socket.destroyed;
}

/** Streams of changes have a limit of their own. */
async function requestFinished({ env, var: { isListening } }: Context<Env>, calls: InFlight): Promise<void> {
  if (isListening !== true) await responseFinished(env);
  await calls.idle();
}

import type { Context } from 'hono';
import type { HttpCaller } from '../http-caller.js';
import type { Env } from '../middleware.js';

/** Who sent a request, and whether they still wait for its answer. */
export function callerOf({ req, var: { actor, requestId } }: Context<Env>): HttpCaller {
  return { actor, requestId, signal: req.raw.signal };
}

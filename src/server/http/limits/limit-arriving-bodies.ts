import type { MiddlewareHandler } from 'hono';
import type { Env } from '../middleware.js';
import { ArrivingBodies } from './arriving-bodies.js';
import type { ServerLimits } from './server-limits.js';

/** Bytes of all bodies that have arrived in part. */
const mostBytes = 268_435_456;

/** Bounds the bodies that are on their way at the same time: for each actor four times as many as may run. */
export function limitArrivingBodies({ limits }: { readonly limits: ServerLimits }): MiddlewareHandler<Env> {
  const arrivals = new ArrivingBodies({ most: 4 * limits.concurrency, mostBytes });
  return async (context, next) => {
    const { socket } = context.env.incoming;
    context.set('arriving', () => arrivals.begin(context.var.origin.actor.id, () => socket.destroy()));
    await next();
  };
}

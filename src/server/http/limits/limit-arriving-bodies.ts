import type { MiddlewareHandler } from 'hono';
import type { Env } from '../middleware.js';
import { BufferedBytes, type BufferReservation } from './buffered-bytes.js';
import type { ServerLimits } from './server-limits.js';

const maxBytes = 268_435_456;

export function limitArrivingBodies({ limits }: { readonly limits: ServerLimits }): MiddlewareHandler<Env> {
  const arrivals = new ArrivingBodies({ maxPerActor: 4 * limits.concurrency, maxBytes });
  return async (context, next) => {
    const { socket } = context.env.incoming;
    context.set('trackBody', () => arrivals.track(context.var.origin.actor.id, () => socket.destroy()));
    await next();
  };
}

interface ArrivalLimits {
  readonly maxPerActor: number;
  /** Of all bodies that have arrived in part. */
  readonly maxBytes: number;
}

/** The oldest bodies make way for new ones, since whoever sends slowly on purpose is among them. */
export class ArrivingBodies {
  readonly #held = new BufferedBytes();
  readonly #limits: ArrivalLimits;

  constructor(limits: ArrivalLimits) {
    this.#limits = limits;
  }

  track(actor: string, abort: () => void): BufferReservation {
    if (this.#held.count(actor) >= this.#limits.maxPerActor) this.#held.abortOldest(actor);
    const held = this.#held.hold(actor, abort);
    return {
      set: (bytes) => {
        held.set(bytes);
        this.#held.abortUntilBelow(this.#limits.maxBytes);
      },
      release: held.release,
    };
  }
}

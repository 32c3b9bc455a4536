import type { Clock } from '../../../model/clock.js';
import type { ServerLimits } from './server-limits.js';

/** What became of a request that asked to be let in. */
export type Admission =
  | { readonly admitted: true; done(): void }
  | { readonly admitted: false; readonly reason: 'rate' | 'concurrency'; readonly retryAfterSeconds: number };

interface Budget {
  tokens: number;
  refilled: number;
  running: number;
}

/** Actors that were not heard of for a while are forgotten once there are this many. */
const mostActors = 10_000;

/** Keeps each actor within its share: so many requests a minute, and so many at a time. */
export class ActorBudgets {
  readonly #limits: ServerLimits;
  readonly #clock: Clock;
  readonly #budgets = new Map<string, Budget>();

  constructor(limits: ServerLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  admit(actor: string): Admission {
    const budget = this.#refilled(actor);
    if (budget.running >= this.#limits.concurrency) {
      return { admitted: false, reason: 'concurrency', retryAfterSeconds: 1 };
    }
    if (budget.tokens < 1) {
      const seconds = ((1 - budget.tokens) * 60) / this.#limits.requestsPerMinute;
      return { admitted: false, reason: 'rate', retryAfterSeconds: Math.max(1, Math.ceil(seconds)) };
    }
    budget.tokens -= 1;
    budget.running += 1;
    let ended = false;
    return {
      admitted: true,
      done() {
        if (ended) return;
        ended = true;
        budget.running -= 1;
      },
    };
  }

  #refilled(actor: string): Budget {
    const now = this.#clock();
    const burst = Math.max(1, this.#limits.requestsPerMinute / 4);
    const known = this.#budgets.get(actor);
    if (known === undefined) {
      if (this.#budgets.size >= mostActors) this.#forgetIdle();
      const fresh = { tokens: burst, refilled: now, running: 0 };
      this.#budgets.set(actor, fresh);
      return fresh;
    }
    const earned = (Math.max(0, now - known.refilled) * this.#limits.requestsPerMinute) / 60_000;
    known.tokens = Math.min(burst, known.tokens + earned);
    known.refilled = now;
    return known;
  }

  /** Whoever has a full budget again is the same as somebody new. */
  #forgetIdle(): void {
    const now = this.#clock();
    for (const [actor, { running, refilled }] of this.#budgets) {
      if (running === 0 && now - refilled > 60_000) this.#budgets.delete(actor);
    }
  }
}

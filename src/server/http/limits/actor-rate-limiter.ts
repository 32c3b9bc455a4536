import type { Clock } from '../../../model/clock.js';
import type { ServerLimits } from './server-limits.js';

export interface RateLimitRefusal {
  readonly admitted: false;
  readonly reason: 'rate' | 'concurrency';
  readonly retryAfterSeconds: number;
}

export type Admission = { readonly admitted: true; done(): void } | RateLimitRefusal;

interface Budget {
  tokens: number;
  refilled: number;
  running: number;
}

/** Beyond this many, idle actors are forgotten. */
const maxActors = 10_000;

export class ActorRateLimiter {
  readonly #limits: ServerLimits;
  readonly #clock: Clock;
  readonly #budgets = new Map<string, Budget>();

  constructor(limits: ServerLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  admit(actor: string, calls = 1): Admission {
    const refused = this.refusal(actor, calls);
    if (refused !== undefined) return refused;
    const budget = this.#refilled(actor);
    budget.tokens -= calls;
    budget.running += calls;
    let ended = false;
    return {
      admitted: true,
      done() {
        if (ended) return;
        ended = true;
        budget.running -= calls;
      },
    };
  }

  refusal(actor: string, calls = 1): RateLimitRefusal | undefined {
    const budget = this.#refilled(actor);
    if (budget.running + calls > this.#limits.concurrency)
      return { admitted: false, reason: 'concurrency', retryAfterSeconds: 1 };
    // More calls than a burst are admitted when a burst is, and paid for afterwards.
    const missing = Math.min(calls, this.#burst) - budget.tokens;
    if (missing <= 0) return undefined;
    const seconds = (missing * 60) / this.#limits.requestsPerMinute;
    return { admitted: false, reason: 'rate', retryAfterSeconds: Math.max(1, Math.ceil(seconds)) };
  }

  charge(actor: string): void {
    this.#refilled(actor).tokens -= 1;
  }

  get #burst(): number {
    return Math.max(1, this.#limits.requestsPerMinute / 4);
  }

  #refilled(actor: string): Budget {
    const now = this.#clock();
    const burst = this.#burst;
    const known = this.#budgets.get(actor);
    if (known === undefined) {
      if (this.#budgets.size >= maxActors) this.#forgetIdle();
      const fresh = { tokens: burst, refilled: now, running: 0 };
      this.#budgets.set(actor, fresh);
      return fresh;
    }
    const earned = (Math.max(0, now - known.refilled) * this.#limits.requestsPerMinute) / 60_000;
    known.tokens = Math.min(burst, known.tokens + earned);
    known.refilled = now;
    return known;
  }

  /** A full budget equals a new one. */
  #forgetIdle(): void {
    const now = this.#clock();
    for (const [actor, { running, refilled }] of this.#budgets) {
      if (running === 0 && now - refilled > 60_000) this.#budgets.delete(actor);
    }
  }
}

import { embedderUnavailable } from './embedder.js';

export interface CircuitBreakerOptions {
  /** Consecutive failures that open it. Default: 3. */
  readonly failures?: number;
  /** Default: 30,000. */
  readonly cooldownMs?: number;
  readonly now?: () => number;
}

/** Spares callers the wait for a server that is down: after some failures, calls fail at once for a while. */
export class CircuitBreaker {
  readonly #failures: number;
  readonly #restMs: number;
  readonly #now: () => number;
  #failed = 0;
  #openUntil = 0;

  constructor({ failures = 3, cooldownMs = 30_000, now = Date.now }: CircuitBreakerOptions = {}) {
    this.#failures = failures;
    this.#restMs = cooldownMs;
    this.#now = now;
  }

  async run<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (this.#now() < this.#openUntil) {
      throw embedderUnavailable(
        `${what} failed ${this.#failed} times in a row; Trellis will retry shortly.`,
        'Check that the model server is running.',
      );
    }
    try {
      const done = await work();
      this.#failed = 0;
      return done;
    } catch (error) {
      this.#failed += 1;
      if (this.#failed >= this.#failures) this.#openUntil = this.#now() + this.#restMs;
      throw error;
    }
  }
}

import { withTimeout } from './with-timeout.js';

export class Deadline {
  readonly #at: number;
  readonly #now: () => number;

  constructor(ms: number, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#at = now() + ms;
  }

  get remainingMs(): number {
    return Math.max(0, this.#at - this.#now());
  }

  get passed(): boolean {
    return this.remainingMs === 0;
  }

  /** A deadline after this share of the remaining time, for the first part of the work. */
  fraction(part: number): Deadline {
    return new Deadline(this.remainingMs * part, this.#now);
  }

  /** The result of `work`, or undefined at the deadline; the work itself goes on. */
  wait<T>(work: Promise<T>): Promise<T | undefined> {
    return withTimeout(work, this.remainingMs, () => undefined);
  }
}

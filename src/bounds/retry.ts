import { setTimeout as sleep } from 'node:timers/promises';

interface RetryOptions {
  /** Whether the next attempt may succeed where this error ended the last one. */
  readonly isTransient: (error: unknown) => boolean;
  /** The mean pause before the second attempt; it doubles with each further one. */
  readonly delayMs: number;
  readonly maxDelayMs?: number;
  readonly attempts?: number;
  /** No attempt starts later than this after the first. */
  readonly forMs?: number;
}

/** Repeats `work` until it succeeds, fails for good, or runs out of attempts or time; then its last error is thrown. */
export async function retry<T>(
  work: () => T | Promise<T>,
  { isTransient, delayMs, maxDelayMs = Infinity, attempts = Infinity, forMs = Infinity }: RetryOptions,
): Promise<T> {
  const began = performance.now();
  for (let attempt = 1, pause = delayMs; ; attempt += 1, pause *= 2) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || attempt >= attempts || performance.now() - began >= forMs) throw error;
    }
    // Random, so that several who failed together do not collide again.
    await sleep(Math.min(pause, maxDelayMs) * (0.5 + Math.random()));
  }
}

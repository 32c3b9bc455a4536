// @ts-check
import { readFileSync } from 'node:fs';

const everyMs = 5;

/**
 * Watches how long the thread of this process stands still at a time. Where the system tells it, what the thread waited for
 * a processor is left out: other programs on the machine are not what is measured.
 */
export class Stalls {
  #longest = 0;
  #last = performance.now();
  #delayed = runDelayMs();

  constructor() {
    setInterval(() => this.#tick(), everyMs).unref();
  }

  /** Milliseconds, since it was last asked. */
  take() {
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  #tick() {
    const [now, delayed] = [performance.now(), runDelayMs()];
    this.#longest = Math.max(this.#longest, now - this.#last - everyMs - (delayed - this.#delayed));
    this.#last = now;
    this.#delayed = delayed;
  }
}

/**
 * How long the main thread of a process has been ready to run and did not, in milliseconds.
 * @param {number} [pid]
 */
export function runDelayMs(pid = process.pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

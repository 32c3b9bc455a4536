// @ts-check
import { readFileSync } from 'node:fs';

const everyMs = 5;

/**
 * Watches how long the thread of this process stands still at a time. Where the system tells it, what the thread waited for
 * a processor is left out: other programs on the machine are not what is measured.
 */
export class Stalls {
  #longest = 0;
  #computing = 0;
  #last = performance.now();
  #delayed = runDelayMs();
  #computed = computedMs();

  constructor() {
    setInterval(() => this.#tick(), everyMs).unref();
  }

  /** Milliseconds, since it was last asked. */
  take() {
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  /** How long the thread computed at a time: the part of a standstill that nothing else on the machine explains. */
  takeComputing() {
    const computing = this.#computing;
    this.#computing = 0;
    return computing;
  }

  #tick() {
    const [now, delayed, computed] = [performance.now(), runDelayMs(), computedMs()];
    this.#longest = Math.max(this.#longest, now - this.#last - everyMs - (delayed - this.#delayed));
    this.#computing = Math.max(this.#computing, computed - this.#computed);
    this.#last = now;
    this.#delayed = delayed;
    this.#computed = computed;
  }
}

function computedMs() {
  return scheduled(process.pid, 0);
}

/**
 * How long the main thread of a process has been ready to run and did not, in milliseconds.
 * @param {number} [pid]
 */
export function runDelayMs(pid = process.pid) {
  return scheduled(pid, 1);
}

/**
 * @param {number} pid
 * @param {number} field
 */
function scheduled(pid, field) {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[field]) / 1e6;
  } catch {
    return 0;
  }
}

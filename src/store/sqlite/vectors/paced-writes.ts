import { setTimeout as sleep } from 'node:timers/promises';
import type { Executor } from '../../sql/executor.js';
import { readNumber } from '../../sql/rows.js';
import { sql } from '../../sql/sql.js';

/** Writes of others that came so recently will be followed by more. */
const recentMs = 100;
/** How much longer than its last write it then rests: about one write in forty meets another. */
const restFactor = 40;
/** So that it makes progress on a machine where everything takes long. */
const maxRestMs = 40;

/** Writes without pause while nobody else does, otherwise for a small share of the time. */
export class PacedWrites {
  readonly #executor: Executor;
  #version: number | undefined;
  #othersWroteAt = Number.NEGATIVE_INFINITY;
  #restUntil = 0;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  async run<T>(write: () => Promise<T>): Promise<T> {
    await this.#rest();
    const start = performance.now();
    try {
      return await write();
    } finally {
      const end = performance.now();
      this.#restUntil = end + Math.min(maxRestMs, restFactor * (end - start));
    }
  }

  async #rest(): Promise<void> {
    // Changes with what other connections commit, in whichever process.
    const [row] = await this.#executor.all(sql`pragma data_version`);
    const version = row === undefined ? 0 : readNumber(row, 'data_version');
    const now = performance.now();
    if (this.#version !== undefined && version !== this.#version) this.#othersWroteAt = now;
    this.#version = version;
    if (now < this.#restUntil && now - this.#othersWroteAt < recentMs) await sleep(this.#restUntil - now);
  }
}

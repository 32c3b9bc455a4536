import { defaultGraph } from '../../model/graph-record.js';
import type { Store } from '../store-contract.js';

/** So many commits stay readable, unless even they take too much. */
const keptCommits = 100;

export interface TrimOptions {
  /** Less than this is never too much. */
  readonly minBytes?: number;
  readonly warn: (message: string) => void;
}

/**
 * A file keeps no history, so that of the rows in memory must not grow for as long as the process lives: when the rows
 * take twice as much as after the last time, old versions are dropped.
 */
export class HistoryTrimmer {
  readonly #rows: Pick<Store, 'size' | 'commits' | 'collect'>;
  readonly #options: Required<TrimOptions>;
  #limit: number;
  #running: Promise<void> | undefined;

  constructor(rows: Pick<Store, 'size' | 'commits' | 'collect'>, options: TrimOptions) {
    this.#rows = rows;
    this.#options = { minBytes: 8 * 1024 * 1024, ...options };
    this.#limit = this.#options.minBytes;
  }

  /** After something was written; nobody waits for it. */
  wake(): void {
    this.#running ??= this.#trim()
      .catch((error: unknown) => this.#options.warn(`Old versions stay in memory: ${String(error)}`))
      .finally(() => {
        this.#running = undefined;
      });
  }

  async close(): Promise<void> {
    await this.#running;
  }

  async #trim(): Promise<void> {
    if (!(await this.#isTooLarge())) return;
    const oldest = (await this.#rows.commits({ graph: defaultGraph }, { limit: keptCommits })).at(-1);
    if (oldest !== undefined) await this.#rows.collect(defaultGraph, { before: oldest.time });
    if (await this.#isTooLarge()) await this.#rows.collect(defaultGraph, { before: Date.now() });
    const { data } = await this.#rows.size();
    this.#limit = Math.max(this.#options.minBytes, 2 * data);
  }

  async #isTooLarge(): Promise<boolean> {
    return (await this.#rows.size()).data > this.#limit;
  }
}

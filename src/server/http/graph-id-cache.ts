import { withTimeout } from '../../bounds/with-timeout.js';
import type { Store } from '../../store/store-contract.js';

/** A graph deleted by another process must disappear within a second. */
const cacheTtlMs = 500;

/** A store that retries would keep a call waiting here first, and then as long again in the call itself. */
const maxReloadMs = 500;

export class GraphIdCache {
  readonly #store: Pick<Store, 'graphs'>;
  readonly #now: () => number;
  #ids: ReadonlyMap<string, number> = new Map();
  #loadedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(store: Pick<Store, 'graphs'>, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
  }

  /** A graph that was just created is found at once. */
  async idOf(name: string): Promise<number | undefined> {
    if (!this.#ids.has(name)) await this.#load();
    else if (this.#now() - this.#loadedAt > cacheTtlMs)
      await withTimeout(this.#reload(), maxReloadMs, () => {});
    return this.#ids.get(name);
  }

  /** Concurrent requests share one read. If the store cannot be read in time, the call itself reports it. */
  #reload(): Promise<void> {
    this.#loading ??= this.#load()
      .catch(() => {})
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const askedAt = this.#now();
    const graphs = await this.#store.graphs();
    // A slower response to an earlier read must not replace a newer one.
    if (askedAt < this.#loadedAt) return;
    this.#ids = new Map(graphs.map(({ name, id }) => [name, id]));
    this.#loadedAt = askedAt;
  }
}

import type { Store } from '../../store/store-contract.js';

/** How long the list of graphs is trusted, so that one deleted by another process is gone within a second. */
const cacheTtlMs = 500;

/** Which graphs a store has, asked for at most twice a second while requests are about graphs that are there. */
export class GraphIdCache {
  readonly #store: Pick<Store, 'graphs'>;
  readonly #now: () => number;
  #ids: ReadonlyMap<string, number> = new Map();
  #loadedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  /** @param now Milliseconds that only go forward. */
  constructor(store: Pick<Store, 'graphs'>, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
  }

  /** The id of a graph, or undefined if there is none of that name. One that was just created is found at once. */
  async idOf(name: string): Promise<number | undefined> {
    if (!this.#ids.has(name)) await this.#load();
    else if (this.#now() - this.#loadedAt > cacheTtlMs) await this.#reload();
    return this.#ids.get(name);
  }

  /** Requests that come together wait for one answer. If the store cannot be read, the call itself says so. */
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
    // A slower answer to an earlier question must not replace a newer one.
    if (askedAt < this.#loadedAt) return;
    this.#ids = new Map(graphs.map(({ name, id }) => [name, id]));
    this.#loadedAt = askedAt;
  }
}

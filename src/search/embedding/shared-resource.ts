import type { Store } from '../../store/store-contract.js';

export interface ResourceLease<T> {
  readonly resource: T;
  /** The last release ends the work, and waits for that. */
  release(): Promise<void>;
}

interface Started<T> {
  readonly work: T;
  shares: number;
}

/** Work started once per store and settings in a process, and ended with its last user. */
export class SharedResource<T> {
  readonly #end: (work: T) => Promise<void>;
  readonly #started = new WeakMap<Store, Map<string, Started<T>>>();

  constructor(end: (work: T) => Promise<void>) {
    this.#end = end;
  }

  active(store: Store): readonly T[] {
    return [...(this.#started.get(store)?.values() ?? [])].map(({ work }) => work);
  }

  acquire(store: Store, settings: object, start: () => T): ResourceLease<T> {
    const ofStore = this.#started.get(store) ?? new Map<string, Started<T>>();
    this.#started.set(store, ofStore);
    const key = JSON.stringify(settings);
    const started = ofStore.get(key) ?? { work: start(), shares: 0 };
    ofStore.set(key, started);
    started.shares += 1;
    let released = false;
    return {
      resource: started.work,
      release: async () => {
        if (released) return;
        released = true;
        started.shares -= 1;
        if (started.shares > 0) return;
        ofStore.delete(key);
        await this.#end(started.work);
      },
    };
  }
}

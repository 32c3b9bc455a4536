const sliceMs = 10;

/**
 * Starts requests actor by actor, in slices. If a crowd started at once, each step of a running request would wait for the
 * first steps of all others.
 */
export class FairRequestQueue {
  /** By actor, next one first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #now: () => number;
  #isOpen = true;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  enter(actor: string): Promise<void> {
    const entered = new Promise<void>((resolve) => {
      const own = this.#waiting.get(actor);
      if (own === undefined) this.#waiting.set(actor, [resolve]);
      else own.push(resolve);
    });
    if (this.#isOpen) {
      this.#isOpen = false;
      this.#admit().catch(() => {});
    }
    return entered;
  }

  async #admit(): Promise<void> {
    const start = this.#now();
    for (let begin = this.#next(); begin !== undefined; begin = this.#next()) {
      begin();
      // It runs until it first waits before the next one starts.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      if (this.#now() - start >= sliceMs) break;
    }
    setImmediate(() => {
      if (this.#waiting.size === 0) this.#isOpen = true;
      else this.#admit().catch(() => {});
    });
  }

  /** The other requests of that actor wait until everybody else had a turn. */
  #next(): (() => void) | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [actor, own] = first;
    this.#waiting.delete(actor);
    const begin = own.shift();
    if (own.length > 0) this.#waiting.set(actor, own);
    return begin;
  }
}

/** Milliseconds of work that begin in one turn of the event loop. */
const sliceMs = 20;

/**
 * Lets requests begin one after the other, actor by actor. What has begun goes on between two slices: if all of a crowd
 * began at once, each of its steps would wait for the first steps of everybody else.
 */
export class FairRequestQueue {
  /** By actor, in the order of their next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #now: () => number;
  #isOpen = true;

  /** @param now Milliseconds that only go forward. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when a request of an actor may begin: at once, if nobody waits. */
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
      // It does all that it can do without waiting before the next one begins.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      if (this.#now() - start >= sliceMs) break;
    }
    setImmediate(() => {
      if (this.#waiting.size === 0) this.#isOpen = true;
      else this.#admit().catch(() => {});
    });
  }

  /** The first request of whose turn it is; the others of that actor wait until everybody else had theirs. */
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

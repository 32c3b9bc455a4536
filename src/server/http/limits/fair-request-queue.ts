import { TimeSlice } from '../../../bounds/time-slice.js';

/**
 * Starts requests actor by actor, in slices. If a crowd started at once, each step of a running request would wait for the
 * first steps of all others. Requests wait in two queues, and running calls compute beside them: in one round of the event
 * loop, all of them share a slice.
 */
export class FairRequestQueue {
  /** By actor, next one first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #beginSlice: () => Pick<TimeSlice, 'isOver'>;
  #isOpen = true;

  constructor(beginSlice: () => Pick<TimeSlice, 'isOver'> = () => new TimeSlice()) {
    this.#beginSlice = beginSlice;
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
    const slice = this.#beginSlice();
    for (let begin = this.#next(); begin !== undefined; begin = this.#next()) {
      begin();
      // It runs until it first waits before the next one starts.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      if (slice.isOver) break;
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

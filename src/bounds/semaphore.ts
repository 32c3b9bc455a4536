/** Runs a few pieces of work at a time; the others wait in the order of their calls. */
export class Semaphore {
  readonly #waiters: (() => void)[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiters.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiters.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

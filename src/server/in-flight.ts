/** The calls that are running, so that a shutdown can let them finish. */
export class InFlight {
  #running = 0;
  #waiting: (() => void)[] = [];

  get running(): number {
    return this.#running;
  }

  async track<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#release();
    }
  }

  /** Resolves once no call is running. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

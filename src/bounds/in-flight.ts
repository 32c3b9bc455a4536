/** The calls that are running: of a server, so that a shutdown can let them finish, or of one request. */
export class InFlight {
  readonly #whole: InFlight | undefined;
  #running = 0;
  #waiting: (() => void)[] = [];

  /** @param whole Counts these calls too. */
  constructor(whole?: InFlight) {
    this.#whole = whole;
  }

  get running(): number {
    return this.#running;
  }

  async track<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await (this.#whole === undefined ? work() : this.#whole.track(work));
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

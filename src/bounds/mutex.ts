/** Lets one piece of work run at a time, in the order of asking. */
export class Mutex {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Whether somebody waits for the work that is under way to end. */
  get isWanted(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves, when it is this caller's turn, to the function that ends it. */
  async enter(): Promise<() => void> {
    await this.#turn();
    let left = false;
    return () => {
      if (!left) this.#leave();
      left = true;
    };
  }

  /** Runs the work in its turn: at once, if nobody else's is under way. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn();
    if (turn !== undefined) await turn;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #turn(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return undefined;
  }

  /** Hands over to the next, without letting go in between. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}

import { RoundRobin } from './round-robin.js';

interface Waiter {
  readonly owner: string;
  readonly wake: () => void;
}

/** Lets one piece of work run at a time: owners take turns, and each has its own in the order of asking. */
export class Mutex {
  readonly #waiters: Waiter[] = [];
  readonly #rotation = new RoundRobin();
  #isTaken = false;

  /** Whether somebody waits for the work that is under way to end. */
  get hasWaiters(): boolean {
    return this.#waiters.length > 0;
  }

  /** Resolves, when it is this caller's turn, to the function that ends it. */
  async acquire(): Promise<() => void> {
    await this.#turn('');
    let left = false;
    return () => {
      if (!left) this.#leave();
      left = true;
    };
  }

  /** Runs the work in its turn: at once, if nobody else's is under way. */
  async run<T>(work: () => Promise<T>, owner = ''): Promise<T> {
    const turn = this.#turn(owner);
    if (turn !== undefined) await turn;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #turn(owner: string): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((wake) => this.#waiters.push({ owner, wake }));
    this.#isTaken = true;
    this.#rotation.markServed(owner);
    return undefined;
  }

  /** Hands over to the next, without letting go in between. */
  #leave(): void {
    const [next] = this.#waiters.splice(this.#nextPlace(), 1);
    if (next === undefined) {
      this.#isTaken = false;
      return;
    }
    this.#rotation.markServed(next.owner);
    next.wake();
  }

  #nextPlace(): number {
    return this.#waiters.length <= 1 ? 0 : this.#rotation.next(this.#waiters, ({ owner }) => owner);
  }
}

import { RoundRobin } from './round-robin.js';

interface Waiter {
  readonly owner: string;
  readonly wake: () => void;
}

/** Runs one piece of work at a time. Owners take turns; the work of one owner runs in the order of its calls. */
export class Mutex {
  readonly #waiters: Waiter[] = [];
  readonly #rotation = new RoundRobin();
  #isTaken = false;

  get hasWaiters(): boolean {
    return this.#waiters.length > 0;
  }

  /** Resolves to the function that releases it. */
  async acquire(): Promise<() => void> {
    await this.#turn('');
    let left = false;
    return () => {
      if (!left) this.#leave();
      left = true;
    };
  }

  /** Runs `work` now if nothing else runs, otherwise when it is its turn. */
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

  #leave(): void {
    const [next] = this.#waiters.splice(this.#nextIndex(), 1);
    if (next === undefined) {
      this.#isTaken = false;
      return;
    }
    this.#rotation.markServed(next.owner);
    next.wake();
  }

  #nextIndex(): number {
    return this.#waiters.length <= 1 ? 0 : this.#rotation.next(this.#waiters, ({ owner }) => owner);
  }
}

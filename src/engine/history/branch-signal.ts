import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../store/store-contract.js';

/** Wakes whoever waits for a branch to change. */
export class BranchSignal {
  readonly #cancelled: AbortSignal | undefined;
  #stop = () => {};
  #isRaised = false;
  #wake = () => {};

  private constructor(cancelled: AbortSignal | undefined) {
    this.#cancelled = cancelled;
  }

  /**
   * What happens after this resolves raises the signal.
   *
   * @param cancelled Makes a wait throw.
   */
  static async open(
    store: Store,
    { graph, branch, cancelled }: { graph: string; branch: string; cancelled?: AbortSignal | undefined },
  ): Promise<BranchSignal> {
    const signal = new BranchSignal(cancelled);
    signal.#stop = await store.watch(graph, (change) => {
      if (change.kind === 'gone' || change.branch === branch) signal.#raise();
    });
    return signal;
  }

  /** Resolves when the branch has changed since the last wait, after so many milliseconds, or when aborted. */
  async wait(milliseconds: number, abort?: AbortSignal): Promise<void> {
    const over = new AbortController();
    const ends = [over.signal, abort, this.#cancelled].filter((end) => end !== undefined);
    this.#wake = () => over.abort();
    if (!this.#isRaised)
      await delay(milliseconds, undefined, { signal: AbortSignal.any(ends) }).catch(() => {});
    this.#isRaised = false;
    this.#cancelled?.throwIfAborted();
  }

  close(): void {
    this.#stop();
    this.#raise();
  }

  #raise(): void {
    this.#isRaised = true;
    this.#wake();
  }
}

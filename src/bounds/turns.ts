import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds that one may compute before others get a turn. */
const turnMs = 20;

/** Lets others have their turns while something computes for long. */
export class Turns {
  #last = performance.now();

  /** Whether it is time for `give`: asked often, since waiting for nothing costs more than asking. */
  get due(): boolean {
    return performance.now() - this.#last >= turnMs;
  }

  /** Resolves when the others have had their turn. */
  async give(): Promise<void> {
    await turn();
    this.#last = performance.now();
  }
}

/** Milliseconds that one may compute before others get a turn. */
const turnMs = 20;

/** Those who wait for their turn to compute. */
const waiting: (() => void)[] = [];

/** Wakes one in each round of the event loop: woken together, they would keep everybody else waiting for all of them. */
function wakeNext(): void {
  const wake = waiting.shift();
  if (waiting.length > 0) setImmediate(wakeNext);
  wake?.();
}

function turn(): Promise<void> {
  return new Promise((wake) => {
    if (waiting.push(wake) === 1) setImmediate(wakeNext);
  });
}

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

/** Milliseconds that one may compute before others get a turn. */
const sliceMs = 20;

/** Those who wait for their turn to compute. */
const waiting: (() => void)[] = [];

/** Wakes one in each round of the event loop: woken together, they would keep everybody else waiting for all of them. */
function wakeNext(): void {
  const wake = waiting.shift();
  if (waiting.length > 0) setImmediate(wakeNext);
  wake?.();
}

function nextTurn(): Promise<void> {
  return new Promise((wake) => {
    if (waiting.push(wake) === 1) setImmediate(wakeNext);
  });
}

/** Lets others have their turns while something computes for long. */
export class TimeSlice {
  #last = performance.now();

  /** Whether it is time for `give`: asked often, since waiting for nothing costs more than asking. */
  get isOver(): boolean {
    return performance.now() - this.#last >= sliceMs;
  }

  /** Resolves when the others have had their turn. */
  async yieldToOthers(): Promise<void> {
    await nextTurn();
    this.#last = performance.now();
  }
}

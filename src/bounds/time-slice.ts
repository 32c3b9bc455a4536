/** Milliseconds one task may compute before it yields. */
const usualMs = 10;

const waiting: (() => void)[] = [];

/**
 * Wakes one task per round of the event loop: woken together, they would block everybody else for the sum of their
 * slices.
 */
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

/** Lets a long computation yield to other tasks: `if (slice.isOver) await slice.yieldToOthers()`. */
export class TimeSlice {
  readonly #ms: number;
  #last = performance.now();

  constructor(ms = usualMs) {
    this.#ms = ms;
  }

  /** Cheaper than yielding each time. */
  get isOver(): boolean {
    return performance.now() - this.#last >= this.#ms;
  }

  async yieldToOthers(): Promise<void> {
    await nextTurn();
    this.#last = performance.now();
  }
}

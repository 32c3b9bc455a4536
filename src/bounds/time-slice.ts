/** Milliseconds one task may compute before it yields. A small call waits for others at each of its several steps. */
const usualMs = 5;
/** Milliseconds a task computes in a round of the event loop that others have used up: small ones then end without waiting. */
const minMs = 2;

const waiting: (() => void)[] = [];
/** When the first task of this round of the event loop began to compute. */
let roundBegan: number | undefined;

/**
 * Wakes one task per round of the event loop: woken together, they would block everybody else for the sum of their
 * slices.
 */
function wakeNext(): void {
  const wake = waiting.shift();
  if (waiting.length > 0) setImmediate(wakeNext);
  roundBegan = undefined;
  wake?.();
}

function nextTurn(): Promise<void> {
  return new Promise((wake) => {
    if (waiting.push(wake) === 1) setImmediate(wakeNext);
  });
}

function endRound(): void {
  roundBegan = undefined;
}

/** Starts a round, if none has started. */
function roundBeganAt(now: number): number {
  if (roundBegan === undefined) {
    roundBegan = now;
    setImmediate(endRound);
  }
  return roundBegan;
}

/**
 * Lets a long computation yield to other tasks: `if (slice.isOver) await slice.yieldToOthers()`. Tasks that compute in the
 * same round of the event loop, such as those whose rows have just arrived, share a slice.
 */
export class TimeSlice {
  readonly #ms: number;
  #last = performance.now();

  constructor(ms = usualMs) {
    this.#ms = ms;
    roundBeganAt(this.#last);
  }

  /** Cheaper than yielding each time. */
  get isOver(): boolean {
    const now = performance.now();
    const ownMs = now - this.#last;
    const roundMs = now - roundBeganAt(now);
    return ownMs >= this.#ms || (ownMs >= minMs && roundMs >= this.#ms);
  }

  async yieldToOthers(): Promise<void> {
    await nextTurn();
    this.#last = performance.now();
  }
}

import { TrellisError } from '../model/error.js';
import type { ReadOptions } from './read-options.js';

/** Watchers of reads that began in this turn of the event loop. Most reads end within it, and cost nothing. */
const unwatched = new Set<() => void>();
let isRoundEnding = false;

function watchAfterRound(watch: () => void): void {
  unwatched.add(watch);
  if (isRoundEnding) return;
  isRoundEnding = true;
  setImmediate(() => {
    isRoundEnding = false;
    const begun = [...unwatched];
    unwatched.clear();
    for (const watch of begun) watch();
  });
}

/** Ends a read early: at its time limit, when its caller leaves, or when its store closes. */
export class ReadCancellation {
  /** Made on demand: most reads end at once. */
  #controller: AbortController | undefined;
  #reason: TrellisError | undefined;
  readonly #onEnd: ((reason: TrellisError) => void)[] = [];
  readonly timeLimitMs: number | undefined;
  readonly #deadline: number;
  readonly #what: string;

  /** @param what The subject of the error message. */
  constructor({ timeLimit }: ReadOptions, what = 'The read') {
    this.#what = what;
    this.timeLimitMs = timeLimit;
    this.#deadline = timeLimit === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeLimit;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Looks at the clock too: while statements keep the thread busy, no timer fires. */
  throwIfCancelled(): void {
    if (performance.now() >= this.#deadline) this.#late();
    if (this.#reason !== undefined) throw this.#reason;
  }

  cancel(reason: TrellisError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const tell of this.#onEnd) tell(reason);
  }

  /** Runs `work` until the time limit, or until `outer` is aborted. */
  async run<T>(outer: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const cancelled = () => this.cancel(cancelledError(outer?.reason));
    if (outer?.aborted === true) cancelled();
    let timer: NodeJS.Timeout | undefined;
    const watch = () => {
      if (outer?.aborted === true) return cancelled();
      if (this.timeLimitMs !== undefined)
        timer = setTimeout(() => this.#late(), this.#deadline - performance.now());
      outer?.addEventListener('abort', cancelled, { once: true });
    };
    watchAfterRound(watch);
    try {
      return await this.raceCancellation(work);
    } finally {
      if (!unwatched.delete(watch)) {
        clearTimeout(timer);
        outer?.removeEventListener('abort', cancelled);
      }
    }
  }

  /** Returns what `work` does, or throws the reason at once when cancelled, whatever `work` is still doing. */
  async raceCancellation<T>(work: () => Promise<T>): Promise<T> {
    this.throwIfCancelled();
    return new Promise((resolve, reject) => {
      this.#onEnd.push(reject);
      work().then(resolve, reject);
    });
  }

  #late(): void {
    const message = `${this.#what} took longer than ${this.timeLimitMs} milliseconds, and was ended.`;
    const hint = 'Ask for less: a page with limit, fewer names, or a more particular query.';
    this.cancel(new TrellisError('LIMIT_EXCEEDED', message, { hint }));
  }
}

function cancelledError(reason: unknown): TrellisError {
  if (reason instanceof TrellisError) return reason;
  return new TrellisError('CANCELLED', 'Nobody waits for the answer any more.', { cause: reason });
}

import { TrellisError } from '../model/error.js';
import type { ReadOptions } from './read-options.js';

/** Something that may have to end before it is done: at a time limit, because nobody waits for it, or with its store. */
export class Ending {
  readonly #controller = new AbortController();
  /** In milliseconds. */
  readonly limit: number | undefined;
  readonly #deadline: number;
  readonly #what: string;

  /** @param what As the error calls it. */
  constructor({ timeLimit }: ReadOptions, what = 'The read') {
    this.#what = what;
    this.limit = timeLimit;
    this.#deadline = timeLimit === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeLimit;
  }

  /** Aborted with the error to answer with. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Throws if it has to end. Looks at the clock too: while statements keep the thread busy, no timer goes off. */
  check(): void {
    if (performance.now() >= this.#deadline) this.#late();
    this.signal.throwIfAborted();
  }

  end(reason: TrellisError): void {
    this.#controller.abort(reason);
  }

  /** Runs `work` under the time limit and until whoever asked leaves; see `unlessEnded`. */
  async race<T>(outer: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const cancelled = () => this.end(cancellation(outer?.reason));
    if (outer?.aborted === true) cancelled();
    const timer = this.limit === undefined ? undefined : setTimeout(() => this.#late(), this.limit);
    outer?.addEventListener('abort', cancelled, { once: true });
    try {
      return await this.unlessEnded(work);
    } finally {
      clearTimeout(timer);
      outer?.removeEventListener('abort', cancelled);
    }
  }

  /** Answers what `work` does, or throws the reason as soon as it has to end, whatever `work` is still doing then. */
  async unlessEnded<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    const ended = new Promise<never>((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    });
    return Promise.race([work(), ended]);
  }

  #late(): void {
    const message = `${this.#what} took longer than ${this.limit} milliseconds, and was ended.`;
    const hint = 'Ask for less: a page with limit, fewer names, or a more particular query.';
    this.end(new TrellisError('LIMIT_EXCEEDED', message, { hint }));
  }
}

function cancellation(reason: unknown): TrellisError {
  if (reason instanceof TrellisError) return reason;
  return new TrellisError('CANCELLED', 'Nobody waits for the answer any more.', { cause: reason });
}

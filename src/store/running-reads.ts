import { TrellisError } from '../model/error.js';
import type { ReadCancellation } from './read-cancellation.js';

/** Long reads, from when they ask to run. Closing ends all of them and refuses more. */
export class RunningReads {
  readonly #running = new Set<ReadCancellation>();
  #closed: TrellisError | undefined;

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  async run<T>(cancellation: ReadCancellation, work: () => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw this.#closed;
    this.#running.add(cancellation);
    try {
      return await work();
    } finally {
      this.#running.delete(cancellation);
    }
  }

  close(): void {
    this.#closed ??= new TrellisError('STOPPED', 'The store was closed.');
    for (const cancellation of this.#running) cancellation.cancel(this.#closed);
  }
}

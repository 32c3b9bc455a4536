import { TrellisError } from '../../../model/error.js';
import type { Executor } from '../executor.js';

/** One write that waits for its turn. */
export interface QueuedWrite {
  /** Does the work inside an open transaction; may be called again if the transaction was lost. */
  run(executor: Executor): Promise<void>;
  /** The transaction is durable. */
  done(): void;
  failed(error: unknown): void;
}

/** Writes that wait together share one transaction; more than this many would keep the first one waiting. */
const largestBatch = 256;

/** Hands waiting writes, as many as there are, to one batch at a time. */
export class WriteQueue<W extends QueuedWrite = QueuedWrite> {
  readonly #runBatch: (batch: readonly W[]) => Promise<void>;
  #waiting: W[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(runBatch: (batch: readonly W[]) => Promise<void>) {
    this.#runBatch = runBatch;
  }

  /** How many wait for a batch to take them. */
  get length(): number {
    return this.#waiting.length;
  }

  push(write: W): void {
    if (this.#closed) {
      write.failed(new TrellisError('STOPPED', 'The store is closed; the write was not done.'));
      return;
    }
    this.#waiting.push(write);
    this.#draining ??= this.#drain();
  }

  /** Takes no more writes, and resolves when those that wait are done. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    do {
      // Requests that arrived in one chunk are queued within the same turn; waiting it out lets them share a transaction.
      // And whoever makes one write after the other must not keep everybody else from their turns.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#runBatch(this.#waiting.splice(0, largestBatch));
    } while (this.#waiting.length > 0);
    this.#draining = undefined;
  }
}

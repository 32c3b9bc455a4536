import { RoundRobin } from '../../../bounds/round-robin.js';
import { TrellisError } from '../../../model/error.js';
import type { Executor } from '../executor.js';

/** One write that waits for its turn. */
export interface QueuedWrite {
  /** For whom it is: those of different owners take turns. */
  readonly owner: string;
  /** Does the work inside an open transaction; may be called again if the transaction was lost. */
  run(executor: Executor): Promise<void>;
  /** The transaction is durable. */
  done(): void;
  failed(error: unknown): void;
}

/** Writes that wait together share one transaction; more than this many would keep the first one waiting. */
const maxBatchSize = 256;
/** Milliseconds after which a batch begins no further write: whoever is done must not wait for all the others. */
const batchMs = 100;

/** The end of a batch that takes long. */
export class BatchTimer {
  readonly #start = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#start >= batchMs;
  }
}

/**
 * Hands waiting writes, as many as there are, to one batch at a time. Their owners take turns, so that nobody waits for all
 * that somebody else has asked for.
 */
export class WriteQueue<W extends QueuedWrite = QueuedWrite> {
  readonly #runBatch: (batch: readonly W[]) => Promise<readonly W[]>;
  readonly #rotation = new RoundRobin();
  #waiting: W[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;

  /** @param runBatch Answers the writes that it has not begun, because the batch took long. */
  constructor(runBatch: (batch: readonly W[]) => Promise<readonly W[]>) {
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
      const left = await this.#runBatch(this.#nextBatch());
      this.#waiting.unshift(...left);
    } while (this.#waiting.length > 0);
    this.#draining = undefined;
  }

  #nextBatch(): W[] {
    const [first] = this.#waiting;
    if (this.#waiting.every(({ owner }) => owner === first?.owner)) {
      this.#rotation.markServed(first?.owner ?? '');
      return this.#waiting.splice(0, maxBatchSize);
    }
    const batch: W[] = [];
    while (batch.length < maxBatchSize) {
      const place = this.#rotation.next(this.#waiting, ({ owner }) => owner);
      const [next] = place < 0 ? [] : this.#waiting.splice(place, 1);
      if (next === undefined) break;
      this.#rotation.markServed(next.owner);
      batch.push(next);
    }
    return batch;
  }
}

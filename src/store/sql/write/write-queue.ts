import { RoundRobin } from '../../../bounds/round-robin.js';
import { TrellisError } from '../../../model/error.js';
import type { Executor } from '../executor.js';

export interface QueuedWrite {
  /** Owners take turns. */
  readonly owner: string;
  /** Runs inside an open transaction; called again if the transaction was lost. */
  run(executor: Executor): Promise<void>;
  done(): void;
  failed(error: unknown): void;
}

/** Writes that wait together share a transaction; more would keep the first one waiting. */
const maxBatchSize = 256;
/** After this time a batch starts no further write, so that finished ones need not wait for all the others. */
const batchMs = 100;

/** So many writers learn of their writes before others have a turn: each goes on at once, and makes its answer. */
const reportsPerTurn = 16;

export async function reportInTurns(reports: readonly (() => void)[]): Promise<void> {
  for (const [index, report] of reports.entries()) {
    if (index > 0 && index % reportsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    report();
  }
}

export class BatchTimer {
  readonly #start = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#start >= batchMs;
  }
}

/** Hands waiting writes to one batch at a time. Owners take turns, so that nobody waits for all that somebody else queued. */
export class WriteQueue<W extends Omit<QueuedWrite, 'run'> = QueuedWrite> {
  readonly #runBatch: (batch: readonly W[]) => Promise<readonly W[]>;
  readonly #rotation = new RoundRobin();
  #waiting: W[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;

  /** @param runBatch Returns the writes that it did not start because the batch took long. */
  constructor(runBatch: (batch: readonly W[]) => Promise<readonly W[]>) {
    this.#runBatch = runBatch;
  }

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

  /** Takes no more writes, and resolves when the waiting ones are done. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    do {
      // Requests of one chunk are queued within one turn; waiting for its end lets them share a transaction, and lets
      // others have turns.
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

import type { Touched } from '../sql/commits/touched.js';
import { type QueuedWrite, WriteQueue } from '../sql/write/write-queue.js';
import type { Connection } from './connection.js';
import { LostTransaction, savepoint, writeTransaction } from './transaction.js';

/** What a store does around each batch. */
export interface BatchHooks {
  /** Runs the batch; a store may do something before its transaction begins and after it ended. */
  around(batch: () => Promise<void>): Promise<void>;
  /** Inside the transaction, before it commits, with what its writes touched. */
  beforeCommit(touched: readonly WriteTouch[]): void | Promise<void>;
  /** The batch is durable. */
  committed(touched: readonly WriteTouch[]): void;
}

export interface WriteTouch {
  readonly graph: string;
  readonly touched: Touched;
}

/** One write: its result, and what it touched if it changed anything. */
export interface Outcome<T> {
  readonly result: T;
  readonly touch?: WriteTouch;
}

/** Writes that wait together share one transaction; each fails or succeeds by itself, and hears of it once it is durable. */
export class GroupCommit {
  readonly #connection: Connection;
  readonly #hooks: BatchHooks;
  readonly #queue = new WriteQueue((batch) => this.#runBatch(batch));
  #touches: WriteTouch[] = [];

  constructor(connection: Connection, hooks: BatchHooks) {
    this.#connection = connection;
    this.#hooks = hooks;
  }

  /** Does the work in its turn; resolves when it is durable. It may be done again if the database lost the batch. */
  run<T>(work: () => Promise<Outcome<T>>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let outcome: Outcome<T> | undefined;
      this.#queue.push({
        run: async () => {
          outcome = await work();
          if (outcome.touch !== undefined) this.#touches.push(outcome.touch);
        },
        done: () => outcome && resolve(outcome.result),
        failed: reject,
      });
    });
  }

  /** How many writes wait for a transaction. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Takes no more writes, and resolves when those that wait are done. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #runBatch(batch: readonly QueuedWrite[]): Promise<void> {
    let settle: (() => void)[] = [];
    try {
      await this.#hooks.around(() =>
        this.#connection.exclusive(() =>
          writeTransaction(this.#connection, async () => {
            settle = await this.#runMembers(batch);
            await this.#hooks.beforeCommit(this.#touches);
          }),
        ),
      );
    } catch (error) {
      await this.#failOrReplay(batch, error);
      return;
    }
    for (const tell of settle) tell();
    this.#hooks.committed(this.#touches);
  }

  /** Answers how to tell each write's caller, which must wait until the batch is durable. */
  async #runMembers(batch: readonly QueuedWrite[]): Promise<(() => void)[]> {
    this.#touches = [];
    const [only, ...others] = batch;
    if (only !== undefined && others.length === 0) {
      // A lone write needs no savepoint: if it fails, the whole transaction is to be undone.
      await only.run(this.#connection);
      return [() => only.done()];
    }
    const settle: (() => void)[] = [];
    for (const write of batch) {
      try {
        await savepoint(this.#connection, () => write.run(this.#connection));
        settle.push(() => write.done());
      } catch (error) {
        if (error instanceof LostTransaction) throw error;
        settle.push(() => write.failed(error));
      }
    }
    return settle;
  }

  /** The transaction is gone with every member. A lone write fails; several are tried again one by one. */
  async #failOrReplay(batch: readonly QueuedWrite[], error: unknown): Promise<void> {
    if (batch.length > 1 && error instanceof LostTransaction) {
      for (const write of batch) await this.#runBatch([write]);
      return;
    }
    const cause = error instanceof LostTransaction ? (error.cause ?? error) : error;
    for (const write of batch) write.failed(cause);
  }
}

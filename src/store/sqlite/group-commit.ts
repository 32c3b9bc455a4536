import type { TouchedSet } from '../sql/commits/touched-set.js';
import { BatchTimer, type QueuedWrite, WriteQueue } from '../sql/write/write-queue.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { LostTransaction, withSqliteSavepoint, writeTransaction } from './transaction.js';

export interface BatchHooks {
  /** Runs the batch; a store may do something before its transaction begins and after it ended. */
  wrap<T>(batch: () => Promise<T>): Promise<T>;
  /** Inside the transaction, before it commits, with what its writes touched. */
  beforeCommit(touched: readonly WriteTouches[]): Promise<void> | undefined;
  describeError(error: unknown): unknown;
  committed(touched: readonly WriteTouches[]): void;
}

export interface WriteTouches {
  readonly graph: string;
  readonly touched: TouchedSet;
}

/** Writes that wait together share one transaction; each fails or succeeds by itself, and hears of it once it is durable. */
export class GroupCommit {
  readonly #connection: SqliteConnection;
  readonly #hooks: BatchHooks;
  readonly #queue = new WriteQueue((batch) => this.#runBatch(batch));
  #touches: WriteTouches[] = [];

  constructor(connection: SqliteConnection, hooks: BatchHooks) {
    this.#connection = connection;
    this.#hooks = hooks;
  }

  /**
   * Does the work in its turn; resolves when it is durable. It may be done again if the database lost the batch.
   *
   * @param touchOf Says what it has touched, if it changed anything.
   * @param owner For whom it is done: different ones take turns.
   */
  run<T>(work: () => Promise<T>, touchOf?: (result: T) => WriteTouches | undefined, owner = ''): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let tell = () => {};
      this.#queue.push({
        owner,
        run: async () => {
          const result = await work();
          const touch = touchOf?.(result);
          if (touch !== undefined) this.#touches.push(touch);
          tell = () => resolve(result);
        },
        done: () => tell(),
        failed: (error) => reject(this.#hooks.describeError(error)),
      });
    });
  }

  get pendingWrites(): number {
    return this.#queue.length;
  }

  /** Takes no more writes; resolves when the pending ones are done. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  /** Returns the writes that were not started. */
  async #runBatch(batch: readonly QueuedWrite[]): Promise<readonly QueuedWrite[]> {
    let settle: readonly (() => void)[];
    try {
      settle = await this.#hooks.wrap(() =>
        this.#connection.exclusive(() => writeTransaction(this.#connection, () => this.#runMembers(batch))),
      );
    } catch (error) {
      await this.#failOrReplay(batch, error);
      return [];
    }
    for (const tell of settle) tell();
    this.#hooks.committed(this.#touches);
    return batch.slice(settle.length);
  }

  /** Answers how to tell each write's caller, which must wait until the batch is durable. */
  async #runMembers(batch: readonly QueuedWrite[]): Promise<readonly (() => void)[]> {
    this.#touches = [];
    const settle: (() => void)[] = [];
    const [only, ...others] = batch;
    if (only !== undefined && others.length === 0) {
      // A lone write needs no savepoint: if it fails, the whole transaction is to be undone.
      await only.run(this.#connection);
      settle.push(() => only.done());
    } else {
      const time = new BatchTimer();
      for (const write of batch) {
        if (settle.length > 0 && time.isOver) break;
        settle.push(await this.#runMember(write));
      }
    }
    const shown = this.#hooks.beforeCommit(this.#touches);
    if (shown !== undefined) await shown;
    return settle;
  }

  async #runMember(write: QueuedWrite): Promise<() => void> {
    try {
      await withSqliteSavepoint(this.#connection, () => write.run(this.#connection));
      return () => write.done();
    } catch (error) {
      if (error instanceof LostTransaction) throw error;
      return () => write.failed(error);
    }
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

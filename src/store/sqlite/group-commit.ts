import { TimeSlice } from '../../bounds/time-slice.js';
import type { Commit } from '../../model/commit.js';
import type { TouchedSet } from '../sql/commits/touched-set.js';
import { BatchTimer, type QueuedWrite, reportInTurns, WriteQueue } from '../sql/write/write-queue.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { LostTransaction, withSqliteSavepoint, writeTransaction } from './transaction.js';

export interface BatchHooks {
  /** Runs the batch; may act before its transaction begins and after it ends. */
  wrap<T>(batch: () => Promise<T>): Promise<T>;
  /** Inside the transaction, before it commits. */
  beforeCommit(touched: readonly WriteTouches[]): Promise<void> | undefined;
  describeError(error: unknown): unknown;
  committed(touched: readonly WriteTouches[]): void;
}

export interface WriteTouches {
  readonly graph: string;
  readonly touched: TouchedSet;
  readonly commit: Commit;
}

/** Queued writes share one transaction; each succeeds or fails by itself, and is reported once durable. */
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
   * Resolves when the work is durable; repeats it if the database lost the batch. Different owners take turns.
   *
   * @param touchOf Returns what the work touched, if anything.
   */
  run<T>(work: () => Promise<T>, touchOf?: (result: T) => WriteTouches | undefined, owner = ''): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let report = () => {};
      this.#queue.push({
        owner,
        run: async () => {
          const result = await work();
          const touch = touchOf?.(result);
          if (touch !== undefined) this.#touches.push(touch);
          report = () => resolve(result);
        },
        done: () => report(),
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
    this.#hooks.committed(this.#touches);
    // A large write has touched very much.
    this.#touches = [];
    await reportInTurns(settle);
    return batch.slice(settle.length);
  }

  /** Returns what reports each write to its caller, to be called once the batch is durable. */
  async #runMembers(batch: readonly QueuedWrite[]): Promise<readonly (() => void)[]> {
    this.#touches = [];
    const settle: (() => void)[] = [];
    const [only, ...others] = batch;
    if (only !== undefined && others.length === 0) {
      // A lone write needs no savepoint: if it fails, the whole transaction is rolled back.
      await only.run(this.#connection);
      settle.push(() => only.done());
    } else {
      const time = new BatchTimer();
      const slice = new TimeSlice();
      for (const write of batch) {
        if (settle.length > 0 && time.isOver) break;
        // Each is short, but a crowd of them is not.
        if (slice.isOver) await slice.yieldToOthers();
        settle.push(await this.#runMember(write));
      }
    }
    const prepared = this.#hooks.beforeCommit(this.#touches);
    if (prepared !== undefined) await prepared;
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

  /** A lone write fails; several are tried again one by one. */
  async #failOrReplay(batch: readonly QueuedWrite[], error: unknown): Promise<void> {
    if (batch.length > 1 && error instanceof LostTransaction) {
      for (const write of batch) await this.#runBatch([write]);
      return;
    }
    const cause = error instanceof LostTransaction ? (error.cause ?? error) : error;
    for (const write of batch) write.failed(cause);
  }
}

import pg from 'pg';
import type { Commit } from '../../model/commit.js';
import { mainBranch } from '../../model/graph-record.js';
import type { WriteTarget } from '../graph-targets.js';
import { GraphCatalog } from '../sql/graph-catalog.js';
import { sql } from '../sql/sql.js';
import { BatchTimer, type QueuedWrite, reportInTurns, WriteQueue } from '../sql/write/write-queue.js';
import type { PgExecutor } from './pg-executor.js';
import { postgresDialect } from './postgres-dialect.js';
import { isConflict, isLockTimeout, isLostConnection } from './postgres-errors.js';
import { type TransactionRunner, withPostgresSavepoint } from './transaction-runner.js';

interface BranchWrite<S> extends Omit<QueuedWrite, 'run'> {
  run(executor: PgExecutor, shared: S): Promise<void>;
  commit(): Commit | null;
}

/** Begins a transaction; returns what its writes share. */
type BeginBatch<S> = (executor: PgExecutor, target: WriteTarget, writes: number) => Promise<S>;

/** Reports a write to its caller, once the batch is durable. */
type ReportWrite = () => void;

/**
 * Writes of this process to one branch would wait for each other anyway, so they share a transaction: one lock, one wait
 * for the disk, one connection. Each fails or succeeds by itself.
 */
export class BranchWriteQueues<S> {
  readonly #transactions: TransactionRunner;
  readonly #begin: BeginBatch<S>;
  readonly #queues = new Map<string, WriteQueue<BranchWrite<S>>>();

  constructor(transactions: TransactionRunner, begin: BeginBatch<S>) {
    this.#transactions = transactions;
    this.#begin = begin;
  }

  /** Resolves when the work is durable; it may run more than once. */
  run<T extends { readonly commit: Commit | null }>(
    target: WriteTarget,
    work: (executor: PgExecutor, shared: S) => Promise<T>,
    owner = '',
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let outcome: T | undefined;
      this.#queueOf(target).push({
        owner,
        run: async (executor, shared) => {
          outcome = await work(executor, shared);
        },
        commit: () => outcome?.commit ?? null,
        done: () => outcome && resolve(outcome),
        failed: reject,
      });
    });
  }

  get pendingWrites(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  #queueOf({ graph, branch = mainBranch }: WriteTarget): WriteQueue<BranchWrite<S>> {
    const key = JSON.stringify([graph, branch]);
    const queue =
      this.#queues.get(key) ??
      new WriteQueue<BranchWrite<S>>((batch) => this.#runBatch({ graph, branch }, batch));
    this.#queues.set(key, queue);
    return queue;
  }

  /** Returns the writes that were not started. */
  async #runBatch(target: WriteTarget, batch: readonly BranchWrite<S>[]): Promise<readonly BranchWrite<S>[]> {
    try {
      const settle = await this.#commit(target, batch);
      await reportInTurns(settle);
      return batch.slice(settle.length);
    } catch (error) {
      for (const write of batch) write.failed(error);
      return [];
    }
  }

  async #commit(target: WriteTarget, batch: readonly BranchWrite<S>[]): Promise<readonly ReportWrite[]> {
    const [only, ...others] = batch;
    const happened = (done: readonly unknown[], executor: PgExecutor) =>
      isStored(executor, target, batch.slice(0, done.length).flatMap((write) => write.commit() ?? [])[0]);
    if (only !== undefined && others.length === 0) {
      const run = async (executor: PgExecutor) => {
        await only.run(executor, await this.#begin(executor, target, 1));
        return [() => only.done()];
      };
      return this.#transactions.run(run, happened);
    }
    try {
      return await this.#transactions.run((executor) => this.#runTogether(executor, target, batch), happened);
    } catch (error) {
      if (!isOfOneWrite(error)) throw error;
      return this.#transactions.run((executor) => this.#runOneByOne(executor, target, batch), happened);
    }
  }

  /**
   * The statements of a write are sent with the first of the next, which saves a round trip for each. If one fails, nobody
   * can tell whose it was, so it fails all of them.
   */
  async #runTogether(
    executor: PgExecutor,
    target: WriteTarget,
    batch: readonly BranchWrite<S>[],
  ): Promise<ReportWrite[]> {
    const shared = await this.#begin(executor, target, batch.length);
    return runUntilLate(batch, async (write) => {
      executor.run(sql`savepoint one_write`);
      try {
        await write.run(executor, shared);
        executor.run(sql`release savepoint one_write`);
        return () => write.done();
      } catch (error) {
        await executor.flush();
        if (executor.failure !== undefined) throw executor.failure;
        executor.run(sql`rollback to savepoint one_write`);
        return () => write.failed(error);
      }
    });
  }

  /** Errors of the whole transaction are thrown, and may have it repeated; others are the write's own. */
  #runOneByOne(
    executor: PgExecutor,
    target: WriteTarget,
    batch: readonly BranchWrite<S>[],
  ): Promise<ReportWrite[]> {
    return runUntilLate(batch, async (write) => {
      try {
        await withPostgresSavepoint(executor, async () =>
          write.run(executor, await this.#begin(executor, target, 1)),
        );
        return () => write.done();
      } catch (error) {
        if (isLostConnection(error) || isConflict(error) || isLockTimeout(error)) throw error;
        return () => write.failed(error);
      }
    });
  }
}

async function runUntilLate<W>(
  batch: readonly W[],
  run: (write: W) => Promise<ReportWrite>,
): Promise<ReportWrite[]> {
  const settle: ReportWrite[] = [];
  const time = new BatchTimer();
  for (const write of batch) {
    if (settle.length > 0 && time.isOver) break;
    settle.push(await run(write));
  }
  return settle;
}

/** A statement was refused, and not because of others. */
function isOfOneWrite(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    !(isLostConnection(error) || isConflict(error) || isLockTimeout(error))
  );
}

/**
 * Whether a transaction is stored, by any of its commits. The server may still be working on it, though it has lost us: once we
 * have the lock of the branch, that has ended.
 */
export async function isStored(
  executor: PgExecutor,
  target: WriteTarget,
  commit: Commit | null | undefined,
): Promise<boolean> {
  if (commit == null) return true;
  const { graphId } = await new GraphCatalog(executor).lockBranch(target, postgresDialect.lockForWrite);
  const rows = await executor.all(
    sql`select 1 as found from commit_log where graph = ${graphId} and id = ${commit.id}`,
  );
  return rows.length === 1;
}

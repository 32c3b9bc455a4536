import type { Commit } from '../../model/commit.js';
import { mainBranch } from '../../model/graph-record.js';
import type { WriteTarget } from '../graph-targets.js';
import { GraphCatalog } from '../sql/graph-catalog.js';
import { sql } from '../sql/sql.js';
import { BatchTimer, type QueuedWrite, WriteQueue } from '../sql/write/write-queue.js';
import type { PgExecutor } from './pg-executor.js';
import { postgresDialect } from './postgres-dialect.js';
import { isConflict, isLockTimeout, isLostConnection } from './postgres-errors.js';
import { type TransactionRunner, withPostgresSavepoint } from './transaction-runner.js';

interface BranchWrite extends QueuedWrite {
  run(executor: PgExecutor): Promise<void>;
  commit(): Commit | null;
}

/** Reports a write to its caller, once the batch is durable. */
type ReportWrite = () => void;

/**
 * Writes of this process to one branch would wait for each other anyway, so they share a transaction: one lock, one wait
 * for the disk, one connection. Each fails or succeeds by itself.
 */
export class BranchWriteQueues {
  readonly #transactions: TransactionRunner;
  readonly #queues = new Map<string, WriteQueue<BranchWrite>>();

  constructor(transactions: TransactionRunner) {
    this.#transactions = transactions;
  }

  /** Resolves when the work is durable; it may run more than once. */
  run<T extends { readonly commit: Commit | null }>(
    target: WriteTarget,
    work: (executor: PgExecutor) => Promise<T>,
    owner = '',
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let outcome: T | undefined;
      this.#queueOf(target).push({
        owner,
        run: async (executor) => {
          outcome = await work(executor);
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

  #queueOf({ graph, branch = mainBranch }: WriteTarget): WriteQueue<BranchWrite> {
    const key = JSON.stringify([graph, branch]);
    const queue =
      this.#queues.get(key) ??
      new WriteQueue<BranchWrite>((batch) => this.#runBatch({ graph, branch }, batch));
    this.#queues.set(key, queue);
    return queue;
  }

  /** Returns the writes that were not started. */
  async #runBatch(target: WriteTarget, batch: readonly BranchWrite[]): Promise<readonly BranchWrite[]> {
    try {
      const settle = await this.#transactions.run(
        (executor) => runWrites(executor, batch),
        (done, executor) => isBatchStored(executor, target, batch.slice(0, done.length)),
      );
      for (const report of settle) report();
      return batch.slice(settle.length);
    } catch (error) {
      for (const write of batch) write.failed(error);
      return [];
    }
  }
}

/** Errors of the whole transaction are thrown, and may have it repeated; others are the write's own. */
async function runWrites(executor: PgExecutor, batch: readonly BranchWrite[]): Promise<ReportWrite[]> {
  const [only, ...others] = batch;
  if (only !== undefined && others.length === 0) {
    await only.run(executor);
    return [() => only.done()];
  }
  const settle: ReportWrite[] = [];
  const time = new BatchTimer();
  for (const write of batch) {
    if (settle.length > 0 && time.isOver) break;
    try {
      await withPostgresSavepoint(executor, () => write.run(executor));
      settle.push(() => write.done());
    } catch (error) {
      if (isLostConnection(error) || isConflict(error) || isLockTimeout(error)) throw error;
      settle.push(() => write.failed(error));
    }
  }
  return settle;
}

/**
 * A batch is stored as a whole, so any of its commits tells. The server may still be working on it, though it has lost us:
 * once we have the lock of the branch, that has ended.
 */
async function isBatchStored(
  executor: PgExecutor,
  target: WriteTarget,
  batch: readonly BranchWrite[],
): Promise<boolean> {
  const [commit] = batch.flatMap((write) => write.commit() ?? []);
  if (commit === undefined) return true;
  const { graphId } = await new GraphCatalog(executor).lockBranch(target, postgresDialect.lockForWrite);
  const rows = await executor.all(
    sql`select 1 as found from commit_log where graph = ${graphId} and id = ${commit.id}`,
  );
  return rows.length === 1;
}

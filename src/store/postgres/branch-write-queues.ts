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

/** What a write leaves: the commit tells whether it is stored. */
interface BranchWriteResult {
  readonly commit: Commit | null;
}

interface BranchWrite extends QueuedWrite {
  run(executor: PgExecutor): Promise<void>;
  commit(): Commit | null;
}

/** How to tell a write's caller, once the batch is durable. */
type SettleWrite = () => void;

/**
 * Writes of this process to one branch, which wait for each other anyway, share a transaction: one lock, one wait for the
 * disk. Each fails or succeeds by itself. It also leaves the pool's other connections to the reads.
 */
export class BranchWriteQueues {
  readonly #transactions: TransactionRunner;
  readonly #queues = new Map<string, WriteQueue<BranchWrite>>();

  constructor(transactions: TransactionRunner) {
    this.#transactions = transactions;
  }

  /** Does the work in its turn; resolves when it is durable. It may be done more than once. */
  run<T extends BranchWriteResult>(
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
      for (const tell of settle) tell();
      return batch.slice(settle.length);
    } catch (error) {
      for (const write of batch) write.failed(error);
      return [];
    }
  }
}

/** Errors that concern the whole transaction are thrown, and may have it done again; others are the member's own. */
async function runWrites(executor: PgExecutor, batch: readonly BranchWrite[]): Promise<SettleWrite[]> {
  const [only, ...others] = batch;
  if (only !== undefined && others.length === 0) {
    await only.run(executor);
    return [() => only.done()];
  }
  const settle: SettleWrite[] = [];
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
 * A batch is stored as a whole, so any of its commits tells. The server may still be at it, though it has lost us: whoever
 * gets the lock of the branch knows that it has ended.
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

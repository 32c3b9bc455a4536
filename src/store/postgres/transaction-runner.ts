import type pg from 'pg';
import { retry } from '../../bounds/retry.js';
import { TrellisError } from '../../model/error.js';
import type { Fragment } from '../sql/executor.js';
import { raw, sql } from '../sql/sql.js';
import { PgExecutor } from './pg-executor.js';
import type { PlanCacheMode } from './pool.js';
import { isConflict, isLostConnection } from './postgres-errors.js';

/** Repeats `work` for up to 15 seconds while its errors are transient. */
export function retryTransient<T>(
  work: () => Promise<T>,
  isTransient: (error: unknown) => boolean,
): Promise<T> {
  return retry(work, { isTransient, delayMs: 5, maxDelayMs: 500, forMs: 15_000 });
}

export class TransactionRunner {
  readonly #pool: pg.Pool;
  /** On a cluster, statements wait on the nodes, which do not know the limits of the connection. */
  readonly #limitOfNodes: Fragment | undefined;

  constructor(pool: pg.Pool, plans: PlanCacheMode) {
    this.#pool = pool;
    if (plans === 'auto')
      this.#limitOfNodes = sql`set local lock_timeout = ${raw(waitOnNodes(pool.options))}`;
  }

  /**
   * Runs `work` in a transaction, and repeats it after a conflict or if the connection was lost before the commit. If it was
   * lost during the commit, `happened` finds out whether that succeeded.
   */
  run<T>(
    work: (executor: PgExecutor) => Promise<T>,
    happened: (result: T, pool: PgExecutor) => Promise<boolean> = async () => false,
  ): Promise<T> {
    return retryTransient(
      async () => {
        const attempt = await this.#attempt(work);
        if ('error' in attempt) throw attempt.error;
        if (attempt.committed) return attempt.result;
        if (await this.#findOut(() => happened(attempt.result, new PgExecutor(this.#pool))))
          return attempt.result;
        throw attempt.lost;
      },
      (error) => isLostConnection(error) || isConflict(error),
    );
  }

  async #findOut(happened: () => Promise<boolean>): Promise<boolean> {
    try {
      return await retryTransient(happened, isLostConnection);
    } catch (cause) {
      const message = 'The connection was lost during the commit; whether the write is stored is unknown.';
      throw new TrellisError('STORE_UNAVAILABLE', message, {
        hint: 'When the database is back, check whether the write is there before you repeat it.',
        publicMessage: message,
        cause,
      });
    }
  }

  async #attempt<T>(work: (executor: PgExecutor) => Promise<T>): Promise<Attempt<T>> {
    const client = await this.#pool.connect();
    const executor = new PgExecutor(client);
    let broken = false;
    try {
      executor.run(sql`begin`);
      if (this.#limitOfNodes !== undefined) executor.run(this.#limitOfNodes);
      const result = await work(executor);
      return await commitTransaction(executor, result);
    } catch (error) {
      broken = isLostConnection(error);
      if (!broken) await client.query('rollback');
      return { error };
    } finally {
      client.release(broken);
    }
  }
}

/** Ends before the statement does: the coordinator, which ends it, does not say that it waited for a lock. */
function waitOnNodes({ lock_timeout: wait = 0, statement_timeout: statement }: pg.PoolOptions): number {
  if (!statement) return wait;
  const longest = Math.ceil(statement * 0.8);
  return wait === 0 ? longest : Math.min(wait, longest);
}

/** Committing a transaction with a failed statement rolls it back. */
async function commitTransaction<T>(executor: PgExecutor, result: T): Promise<Attempt<T>> {
  try {
    executor.run(sql`commit`);
    await executor.flush();
    return { result, committed: true };
  } catch (error) {
    return isLostConnection(error) ? { result, committed: false, lost: error } : { error };
  }
}

type Attempt<T> =
  | { readonly result: T; readonly committed: true }
  | { readonly result: T; readonly committed: false; readonly lost: unknown }
  | { readonly error: unknown };

/** A failure of `work` undoes what it did, and nothing else of the open transaction. */
export async function withPostgresSavepoint<T>(executor: PgExecutor, work: () => Promise<T>): Promise<T> {
  executor.run(sql`savepoint one_write`);
  try {
    const result = await work();
    executor.run(sql`release savepoint one_write`);
    await executor.flush();
    return result;
  } catch (error) {
    if (isLostConnection(error)) throw error;
    // Other failures have the same cause.
    await executor.flush().catch(() => {});
    executor.run(sql`rollback to savepoint one_write`);
    await executor.flush();
    throw error;
  }
}

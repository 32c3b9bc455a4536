import type pg from 'pg';
import { isConflict, isLostConnection } from './errors.js';
import { PgExecutor } from './pg-executor.js';
import { retrying } from './retry.js';

/** Runs transactions on connections of the pool. */
export class Transactions {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Runs `work` in a transaction; again, if another transaction stood in its way or the connection was lost before it was
   * committed. A connection lost during the commit leaves open whether that happened: `happened` then finds out.
   */
  run<T>(
    work: (executor: PgExecutor) => Promise<T>,
    happened: (result: T, pool: PgExecutor) => Promise<boolean> = async () => false,
  ): Promise<T> {
    const passing = (error: unknown) => isLostConnection(error) || isConflict(error);
    return retrying(passing, async () => {
      const attempt = await this.#attempt(work);
      if ('error' in attempt) throw attempt.error;
      if (attempt.committed) return attempt.result;
      const found = await retrying(isLostConnection, () =>
        happened(attempt.result, new PgExecutor(this.#pool)),
      );
      if (!found) throw attempt.lost;
      return attempt.result;
    });
  }

  async #attempt<T>(work: (executor: PgExecutor) => Promise<T>): Promise<Attempt<T>> {
    const client = await this.#pool.connect();
    let broken = false;
    try {
      await client.query('begin');
      const result = await work(new PgExecutor(client));
      try {
        await client.query('commit');
        return { result, committed: true };
      } catch (lost) {
        broken = true;
        if (isLostConnection(lost)) return { result, committed: false, lost };
        throw lost;
      }
    } catch (error) {
      broken ||= isLostConnection(error);
      if (!broken) await client.query('rollback');
      return { error };
    } finally {
      client.release(broken);
    }
  }
}

type Attempt<T> =
  | { readonly result: T; readonly committed: true }
  | { readonly result: T; readonly committed: false; readonly lost: unknown }
  | { readonly error: unknown };

/** Runs `work` so that its failure undoes what it did, and nothing else, of the open transaction. */
export async function savepoint<T>(executor: PgExecutor, work: () => Promise<T>): Promise<T> {
  await executor.run('savepoint one_write');
  try {
    const result = await work();
    await executor.run('release savepoint one_write');
    return result;
  } catch (error) {
    if (!isLostConnection(error)) await executor.run('rollback to savepoint one_write');
    throw error;
  }
}

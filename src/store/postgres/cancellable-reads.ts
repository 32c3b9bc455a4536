import type pg from 'pg';
import type { ReadCancellation } from '../read-cancellation.js';
import { sql } from '../sql/sql.js';
import { PgExecutor } from './pg-executor.js';
import { isLostConnection } from './postgres-errors.js';
import { inSnapshot } from './snapshot-reads.js';

/** How long after our time limit PostgreSQL ends a statement itself, in case that we cannot. */
const graceMs = 1_000;

/** Cancelling a read drops its connection and cancels its statement in PostgreSQL. */
export class CancellableReads {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Runs `work` on a snapshot of the database. */
  async run<T>(cancellation: ReadCancellation, work: (executor: PgExecutor) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const executor = new PgExecutor(client);
    let lost = false;
    try {
      return await cancellation.raceCancellation(() =>
        inSnapshot(executor, async () => {
          const backend = beginRead(executor, cancellation.timeLimitMs);
          cancellation.signal.addEventListener('abort', () => this.#cancel(backend), { once: true });
          return work(executor);
        }),
      );
    } catch (error) {
      // A connection that is still busy must not be reused.
      lost = cancellation.signal.aborted || isLostConnection(error);
      throw error;
    } finally {
      client.release(lost);
    }
  }

  async #cancel(backend: Promise<number | undefined>): Promise<void> {
    const pid = await backend;
    // If this fails, the statement ends at its own time limit. Citus has another such function, of a bigint.
    if (pid !== undefined) await this.#pool.query('select pg_cancel_backend($1::int)', [pid]).catch(() => {});
  }
}

/** Sets the time limit; returns the process of PostgreSQL that does the work. */
async function beginRead(executor: PgExecutor, limit: number | undefined): Promise<number | undefined> {
  const timeout = limit === undefined ? null : String(Math.ceil(limit) + graceMs);
  try {
    const [row] = await executor.all(
      sql`select pg_backend_pid() as pid,
        set_config('statement_timeout', coalesce(${timeout}, current_setting('statement_timeout')), true)`,
    );
    return Number(row?.['pid']);
  } catch {
    // The work will meet the same error.
    return undefined;
  }
}

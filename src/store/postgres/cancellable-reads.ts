import type pg from 'pg';
import { TrellisError } from '../../model/error.js';
import type { ReadCancellation } from '../read-cancellation.js';
import { sql } from '../sql/sql.js';
import { PgExecutor } from './pg-executor.js';
import { isLostConnection } from './postgres-errors.js';
import { inSnapshot } from './snapshot-reads.js';

/** PostgreSQL is told to end a statement so much after its time limit, in case that we cannot. */
const graceMs = 1_000;

/** Reads that can be ended: the connection of one that was is given up, and PostgreSQL told to end what it was doing. */
export class CancellableReads {
  readonly #pool: pg.Pool;
  readonly #running = new Set<ReadCancellation>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Runs `work` on a snapshot of the database until it has to end. */
  async run<T>(ending: ReadCancellation, work: (executor: PgExecutor) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const executor = new PgExecutor(client);
    this.#running.add(ending);
    let lost = false;
    try {
      return await ending.raceCancellation(() =>
        inSnapshot(executor, async () => {
          const backend = beginRead(executor, ending.timeLimitMs);
          ending.signal.addEventListener('abort', () => this.#cancel(backend), { once: true });
          return work(executor);
        }),
      );
    } catch (error) {
      // Whatever the connection is still doing must not be done to whoever would get it next.
      lost = ending.signal.aborted || isLostConnection(error);
      throw error;
    } finally {
      this.#running.delete(ending);
      client.release(lost);
    }
  }

  close(): void {
    for (const ending of this.#running) ending.cancel(new TrellisError('STOPPED', 'The store was closed.'));
  }

  async #cancel(backend: Promise<number | undefined>): Promise<void> {
    const pid = await backend;
    // If it does not hear of this, it ends at the limit it was given.
    if (pid !== undefined) await this.#pool.query('select pg_cancel_backend($1)', [pid]).catch(() => {});
  }
}

/** Tells PostgreSQL the time limit; answers which of its processes does the work. */
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

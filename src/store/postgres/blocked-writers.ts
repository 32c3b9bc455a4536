import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Executor } from '../sql/executor.js';
import { readNumber, readText } from '../sql/rows.js';
import { sql } from '../sql/sql.js';
import { type Client, openConnection } from './pool.js';

/** How often it looks. */
const intervalMs = 200;
/** How long it waits for an answer at the end. */
const lastAnswerMs = 1_000;

/** Names the transaction too, so that no other statement of the same connection is cancelled. */
const cancelIfBlocking = `select pg_cancel_backend(a.pid) from pg_stat_activity a
  where a.pid = $1 and extract(epoch from a.xact_start) = $2::numeric
  and exists (select 1 from pg_locks l where not l.granted and a.pid = any(pg_blocking_pids(l.pid)))`;

/**
 * Cancels a transaction as soon as somebody waits for it. On a connection of its own: all others of the pool may belong to
 * those who wait.
 */
export class BlockedWriters {
  readonly #connection: Client;
  readonly #ending = new AbortController();
  #watching: Promise<void> | undefined;

  private constructor(connection: Client) {
    this.#connection = connection;
  }

  /** To be called before the transaction begins. */
  static async open(pool: pg.Pool): Promise<BlockedWriters> {
    const connection = openConnection(pool);
    connection.on('error', () => {});
    await connection.connect();
    return new BlockedWriters(connection);
  }

  async watch(transaction: Executor): Promise<void> {
    if (this.#ending.signal.aborted) throw new Error('It has ended.');
    const [row = {}] = await transaction.all(
      sql`select pg_backend_pid() as process, extract(epoch from now())::text as started`,
    );
    this.#watching = this.#watch([readNumber(row, 'process'), readText(row, 'started')]);
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.race([this.#watching, delay(lastAnswerMs, undefined, { ref: false })]);
  }

  async close(): Promise<void> {
    await this.end();
    await this.#connection.end().catch(() => {});
  }

  async #watch(transaction: readonly [process: number, started: string]): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await delay(intervalMs, undefined, { signal, ref: false }).catch(() => {});
      // If the database is gone, so is the transaction.
      if (!signal.aborted) await this.#connection.query(cancelIfBlocking, [...transaction]).catch(() => {});
    }
  }
}

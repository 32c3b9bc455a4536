import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { FairSemaphore, type SlotLimits } from '../../bounds/fair-semaphore.js';
import { CancellableReads } from './cancellable-reads.js';

/** Between the looks at how far a replica is: a quarter of a second in all. */
const waitsMs = [0, 2, 5, 10, 20, 40, 80, 100];

/** How long a replica that did not answer is left alone. */
const pauseMs = 5_000;

/**
 * A read replica of PostgreSQL. It serves a read only once it has replayed all that was durable on the primary when the
 * read began, so that everybody finds what they have written, whichever server they use.
 */
export class ReadReplica {
  readonly slots: FairSemaphore;
  readonly reads: CancellableReads;
  readonly #primary: pg.Pool;
  readonly #pool: pg.Pool;
  readonly #warn: (message: string) => void;
  #pausedUntil = 0;
  #hasWarned = false;

  constructor(primary: pg.Pool, pool: pg.Pool, limits: SlotLimits, warn: (message: string) => void) {
    this.slots = new FairSemaphore(limits);
    this.reads = new CancellableReads(pool);
    this.#primary = primary;
    this.#pool = pool;
    this.#warn = warn;
  }

  /** Waits a moment for the replica; if it is too far behind or does not answer, the primary serves the read. */
  async hasCaughtUp(): Promise<boolean> {
    if (Date.now() < this.#pausedUntil) return false;
    // What the primary answers is for the read itself to report.
    const { rows } = await this.#primary.query('select pg_current_wal_flush_lsn()::text as position');
    try {
      for (const wait of waitsMs) {
        if (wait > 0) await sleep(wait);
        if (await this.#hasReplayed(rows[0]?.position)) return this.#isBack();
      }
      return this.#leaveAlone('is too far behind');
    } catch (error) {
      return this.#leaveAlone(`does not serve reads: ${error instanceof Error ? error.message : error}`);
    }
  }

  close(): Promise<void> {
    this.reads.close();
    return this.#pool.end();
  }

  async #hasReplayed(position: string): Promise<boolean> {
    const { rows } = await this.#pool.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as has_replayed', [
      position,
    ]);
    const [row] = rows;
    if (row?.has_replayed == null) throw new Error('it is not a replica');
    return row.has_replayed;
  }

  #isBack(): true {
    if (this.#hasWarned) this.#warn('The read replica serves reads again.');
    this.#hasWarned = false;
    return true;
  }

  #leaveAlone(reason: string): false {
    this.#pausedUntil = Date.now() + pauseMs;
    if (!this.#hasWarned) this.#warn(`The read replica ${reason}; the primary serves its reads meanwhile.`);
    this.#hasWarned = true;
    return false;
  }
}

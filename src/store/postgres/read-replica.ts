import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { FairSemaphore, type SlotLimits } from '../../bounds/fair-semaphore.js';
import { CancellableReads } from './cancellable-reads.js';

/** Between the looks at how far a replica is: a quarter of a second in all. */
const waitsMs = [0, 2, 5, 10, 20, 40, 80, 100];

const notReplica = 'it is not a replica';

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
    const position = await this.#primaryPosition();
    try {
      for (const wait of waitsMs) {
        if (wait > 0) await sleep(wait);
        if (await this.#hasReplayed(position)) return this.#isBack();
      }
      return this.#leaveAlone('is too far behind');
    } catch (error) {
      return this.#leaveAlone(`does not serve reads: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Host and port, as in the URL. */
  get host(): string {
    const { connectionString } = this.#pool.options;
    return connectionString === undefined ? '' : new URL(connectionString).host;
  }

  /** How many bytes of the log of the primary it has not replayed. Throws if it does not answer. */
  async bytesBehind(): Promise<number> {
    const position = await this.#primaryPosition();
    const { rows } = await this.#pool.query(
      'select pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn())::bigint as bytes',
      [position],
    );
    const [row] = rows;
    if (row?.bytes == null) throw new Error(notReplica);
    return Math.max(0, row.bytes);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #primaryPosition(): Promise<string> {
    const { rows } = await this.#primary.query('select pg_current_wal_flush_lsn()::text as position');
    return rows[0]?.position;
  }

  async #hasReplayed(position: string): Promise<boolean> {
    const { rows } = await this.#pool.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as has_replayed', [
      position,
    ]);
    const [row] = rows;
    if (row?.has_replayed == null) throw new Error(notReplica);
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

/** Where reads go, and how far behind that is; a replica that does not answer is for `replicaAdvice` to report. */
export async function describeReplica(replica: ReadReplica | undefined): Promise<string[]> {
  if (replica === undefined) return [];
  const bytes = await replica.bytesBehind().catch(() => undefined);
  return [`reads from ${replica.host}${bytes === undefined ? '' : `, ${bytes} bytes behind`}`];
}

export async function replicaAdvice(replica: ReadReplica | undefined): Promise<string[]> {
  try {
    await replica?.bytesBehind();
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`The read replica ${replica?.host} does not serve reads, so the primary does: ${reason}`];
  }
}

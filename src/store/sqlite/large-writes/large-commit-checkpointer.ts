import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { raw, sql } from '../../sql/sql.js';
import type { SqliteConnection } from '../sqlite-connection.js';
import type { YieldingExecutor } from '../yielding-executor.js';

/** A batch that gave others so many turns leaves a log that takes long to confirm and to fold. */
const largeBatchYields = 20;
/** Pages in the log from which on SQLite folds it with a commit; its own default. */
const autoCheckpointPages = 1_000;
/** A read that took so long has kept SQLite from folding what was written meanwhile. */
const longReadMs = 1_000;
/** How often folding is tried while somebody reads what it would replace. */
const mostFolds = 10;
const foldPauseMs = 100;

/**
 * Keeps the commit of a large batch from keeping this thread. SQLite confirms its log on the thread that commits and, if it
 * has become long, folds it into the file; here what the log has by then is confirmed before, and folded in a process.
 */
export class LargeCommitCheckpointer {
  readonly #writer: SqliteConnection;
  readonly #writing: YieldingExecutor;
  readonly #log: string;
  readonly #fold: () => Promise<boolean | undefined>;
  #isLarge = false;
  /** Counts large batches: only what belongs to the last one gives the log back to SQLite. */
  #last = 0;
  #folding: Promise<void> = Promise.resolve();

  /**
   * @param log The path of the write-ahead log.
   * @param fold Folds it elsewhere; answers false if some is left.
   */
  constructor(
    writer: SqliteConnection,
    writing: YieldingExecutor,
    log: string,
    fold: () => Promise<boolean | undefined>,
  ) {
    this.#writer = writer;
    this.#writing = writing;
    this.#log = log;
    this.#fold = fold;
  }

  /** Inside the transaction, before it commits. */
  prepare(): Promise<void> | undefined {
    return this.#writing.takeYieldCount() < largeBatchYields ? undefined : this.#prepareLarge();
  }

  /** Called before a large transaction of another connection. */
  expectLarge(): void {
    this.#isLarge = true;
    this.#last += 1;
    this.#foldFrom(0);
  }

  /** Called when a read of another connection has ended: the next commit would fold what that has kept from being folded. */
  readEnded(ms: number): void {
    if (ms >= longReadMs) this.expectLarge();
  }

  /** The transaction is durable, or has failed. */
  committed(): void {
    if (!this.#isLarge) return;
    this.#isLarge = false;
    const batch = this.#last;
    // If it fails, the next commit does it.
    this.#folding = this.#foldAll()
      .catch(() => {})
      .then(() => {
        if (batch === this.#last) this.#foldFrom(autoCheckpointPages);
      });
  }

  /** Resolves when the log is SQLite's own again. */
  close(): Promise<void> {
    return this.#folding;
  }

  async #prepareLarge(): Promise<void> {
    this.expectLarge();
    await syncLog(this.#log);
  }

  async #foldAll(): Promise<void> {
    for (let times = 1; (await this.#fold()) === false && times < mostFolds; times++)
      await sleep(foldPauseMs);
  }

  #foldFrom(pages: number): void {
    this.#writer.run(sql`pragma wal_autocheckpoint = ${raw(pages)}`);
  }
}

/** Waits for the disk elsewhere than on this thread. It is for the sake of others alone: the commit asks again. */
async function syncLog(path: string): Promise<void> {
  try {
    const file = await open(path, 'r+');
    try {
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch {
    // Then the commit waits longer.
  }
}

import { setImmediate as turn } from 'node:timers/promises';
import type { SqliteConnection } from '../sqlite-connection.js';
import { writeTransaction } from '../transaction.js';
import { indexPending, mergeSegments, pagesPerMerge, pendingCount } from './text-index.js';

/** Searches scan rows that are not indexed, so their number is kept below this even under steady writing. */
const maxPending = 240;
const rowsPerNode = 3;
/** Otherwise indexing waits for a pause of this length, so as not to delay writes. */
const pauseMs = 25;
/** Small enough that a concurrent write hardly waits, large enough to share the merging. */
const batchSize = 250;
/** Batches that may share a transaction while nobody waits: ending one costs more than a batch. */
const batchesPerTransaction = 8;
/** Each document is merged a few times in its life: a batch of them pays its share in small steps. */
const mergesPerBatch = 4;

/** Brings the text index up to date in the background, on the connection that writes. */
export class TextIndexer {
  readonly #connection: SqliteConnection;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** How many rows must be pending for the next run; undefined if nobody has asked for one. */
  #wanted: number | undefined;
  /** Since the last index run. */
  #touchedNodes = 0;
  #closed = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Indexes at the next pause, or at once if these touched nodes make many rows pending. */
  wake(nodes: number): void {
    if (this.#closed) return;
    this.#touchedNodes += nodes;
    if (this.#touchedNodes * rowsPerNode >= maxPending) {
      this.#touchedNodes = 0;
      // Not at once: the writer gets its result first.
      setImmediate(() => this.#start(maxPending));
    }
    this.#afterPause();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #afterPause(): void {
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#start(1), pauseMs).unref();
    else this.#timer.refresh();
  }

  /** One run at a time: a second one would wait for the connection, and the first make room for it after each batch. */
  #start(atLeast: number): void {
    this.#wanted = Math.min(atLeast, this.#wanted ?? atLeast);
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    for (let atLeast = this.#wanted; atLeast !== undefined; atLeast = this.#wanted) {
      this.#wanted = undefined;
      const least = atLeast;
      // If it fails, the rows are stored and still found, only more slowly; the next write tries again.
      const more = await this.#connection.exclusive(() => this.#indexSome(least)).catch(() => false);
      if (more && !this.#closed) this.#wanted = Math.min(least, this.#wanted ?? least);
    }
    this.#running = undefined;
  }

  /** Does nothing if fewer rows are pending; returns whether there is more to do. */
  async #indexSome(atLeast: number): Promise<boolean> {
    if (this.#closed) return false;
    const pending = await pendingCount(this.#connection);
    if (pending < atLeast) return false;
    const indexed = await writeTransaction(this.#connection, () => this.#indexBatches(pending));
    return indexed > 0 && pending - indexed >= atLeast;
  }

  /** Indexes batches until somebody wants the connection, as one segment of the index; returns the number of rows. */
  async #indexBatches(pending: number): Promise<number> {
    let indexed = 0;
    let batches = 0;
    while (batches < batchesPerTransaction) {
      indexed += await indexPending(this.#connection, batchSize);
      batches += 1;
      await turn();
      if (indexed >= pending) break;
      if (this.#closed || this.#connection.hasWaiters) break;
    }
    await this.#mergeSome(batches * mergesPerBatch);
    return indexed;
  }

  /** At least one step, so that merging keeps up with writers who never pause. */
  async #mergeSome(most: number): Promise<void> {
    for (let merges = 0; merges < most; merges++) {
      await turn();
      if (merges > 0 && this.#connection.hasWaiters) return;
      if (!(await mergeSegments(this.#connection, pagesPerMerge))) return;
    }
    await turn();
  }
}

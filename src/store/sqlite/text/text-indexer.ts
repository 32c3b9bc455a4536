import { setImmediate as turn } from 'node:timers/promises';
import type { SqliteConnection } from '../sqlite-connection.js';
import { writeTransaction } from '../transaction.js';
import { indexPending, pendingCount } from './text-index.js';

/** Rows beyond the index are looked at one by one, so their number is kept below this even under steady writing. */
const maxPending = 240;
const rowsPerNode = 3;
/** Otherwise indexing waits for a pause of this length, so as not to delay the writing. */
const pauseMs = 25;
/** Few enough that a write which comes meanwhile hardly waits, enough that merging is shared by many. */
const batchSize = 250;
/** Portions that may share a transaction as long as nobody waits: each transaction that ends costs more than a portion. */
const batchesPerTransaction = 8;

/** Brings the text index up to date in the background, on the connection that writes. */
export class TextIndexer {
  readonly #connection: SqliteConnection;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  /** Since rows were last counted, which a write need not wait for. */
  #touchedNodes = 0;
  #closed = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Called at the start, and after writes with the number of nodes they touched: indexes at the next pause, or at once if much waits. */
  wake(nodes: number): void {
    if (this.#closed) return;
    this.#touchedNodes += nodes;
    if (this.#touchedNodes * rowsPerNode >= maxPending) {
      this.#touchedNodes = 0;
      // Not at once: whoever wrote is to have the answer first.
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

  #start(atLeast: number): void {
    this.#running = this.#connection
      .exclusive(() => this.#indexSome(atLeast))
      // The rows are safe and still found, only more slowly; the next write tries again.
      .catch(() => false)
      .then((more) => {
        if (more && !this.#closed) this.#start(atLeast);
      });
  }

  /** Indexes some portions if at least so many rows wait; answers whether there is more to do. */
  async #indexSome(atLeast: number): Promise<boolean> {
    if (this.#closed) return false;
    const waiting = await pendingCount(this.#connection);
    if (waiting < atLeast) return false;
    const indexed = await writeTransaction(this.#connection, () => this.#indexPortions(waiting));
    return indexed > 0 && waiting - indexed >= atLeast;
  }

  /** Indexes a portion, and further ones until somebody wants the connection; answers how many rows it were. */
  async #indexPortions(waiting: number): Promise<number> {
    let indexed = 0;
    for (let portion = 0; portion < batchesPerTransaction; portion++) {
      indexed += await indexPending(this.#connection, batchSize);
      if (indexed >= waiting) break;
      await turn();
      if (this.#closed || this.#connection.hasWaiters) break;
    }
    return indexed;
  }
}

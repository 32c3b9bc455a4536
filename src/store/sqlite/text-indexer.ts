import type { Connection } from './connection.js';
import { indexPending, pendingCount } from './text-index.js';
import { writeTransaction } from './transaction.js';

/** Rows beyond the index are looked at one by one, so their number is kept below this even under steady writing. */
const mostPending = 600;
/** Indexing waits for a pause of this length in the writing, so as not to delay it. */
const pauseMs = 200;
const rowsAtOnce = 2_000;

/** Brings the text index up to date in the background, on the connection that writes. */
export class TextIndexer {
  readonly #connection: Connection;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #sinceCount = 0;
  #closed = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Called after writes: indexes soon, or at once if too much waits. */
  wake(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#sinceCount += 1;
    if (this.#sinceCount >= 50) {
      this.#sinceCount = 0;
      this.#run(mostPending);
    }
    this.#timer = setTimeout(() => this.#run(1), pauseMs).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #run(atLeast: number): void {
    this.#running = this.#connection.exclusive(async () => {
      if (this.#closed) return;
      try {
        let waiting = await pendingCount(this.#connection);
        while (waiting >= atLeast && !this.#closed) {
          const indexed = await writeTransaction(this.#connection, () =>
            indexPending(this.#connection, rowsAtOnce),
          );
          if (indexed === 0) return;
          waiting -= indexed;
        }
      } catch {
        // The rows are safe and still found, only more slowly; the next write tries again.
      }
    });
  }
}

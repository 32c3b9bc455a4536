import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programFile } from '../../../file/package-files.js';
import { TrellisError } from '../../../model/error.js';
import type { Executor, Fragment, SqlRow } from '../../sql/executor.js';
import { fromStatementFailure } from '../statement-failure.js';
import type { WriteAnswer, WriteMessage, WriteOrder, WriteQuestion } from './write-messages.js';

/** What the thread is sent is garbage at once: it need not wait in much memory. */
const maxYoungGenerationSizeMb = 4;

interface Waiting {
  readonly resolve: (rows: SqlRow[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A connection on a thread of its own, for one large write: SQLite works there while this thread works out the next rows, and
 * calls wait for neither. As on PostgreSQL, what needs no answer is not waited for.
 */
export class WriteThread implements Executor {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #gone: Promise<unknown>;
  #lastId = 0;
  #lost: TrellisError | undefined;
  /** Of what was sent before the last `catchUp`. */
  #stored: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#worker = new Worker(programFile(import.meta.url, './write-worker.js'), {
      workerData: path,
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    this.#gone = once(this.#worker, 'exit').catch(() => {});
    this.#worker.on('message', (answer: WriteAnswer) => this.#receive(answer));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail());
  }

  all(statement: Fragment): Promise<SqlRow[]> {
    return this.#ask({ kind: 'all', statement });
  }

  run(statement: Fragment): void {
    this.#send({ kind: 'run', statement });
  }

  insert(...[table, columns, rows, options]: Parameters<Executor['insert']>): void {
    if (rows.length > 0) this.#send({ kind: 'insert', table, columns, rows, options });
  }

  /** Runs statements without keeping them prepared. */
  exec(sql: string): void {
    this.#send({ kind: 'exec', sql });
  }

  /** Resolves when everything that was sent is done; throws the first of its errors. */
  async flush(): Promise<void> {
    await this.#ask({ kind: 'flush' });
  }

  /** At most what was sent since the last time is still to be stored. */
  async catchUp(): Promise<void> {
    const before = this.#stored;
    this.#stored = this.flush();
    // Reported by the next question.
    this.#stored.catch(() => {});
    await before;
  }

  /** Runs `work`, which writes through this, in one transaction; resolves when it is durable. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.#ask({ kind: 'begin' });
    try {
      const result = await work();
      await this.#ask({ kind: 'commit' });
      return result;
    } catch (error) {
      // If the thread is gone, so is the transaction.
      await this.#ask({ kind: 'rollback' }).catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#send({ kind: 'end' });
    await this.#gone;
  }

  #ask(question: WriteQuestion): Promise<SqlRow[]> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) return reject(this.#lost);
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve, reject });
      this.#send({ id: this.#lastId, ...question });
    });
  }

  #send(message: WriteMessage | WriteOrder): void {
    this.#worker.postMessage(message);
  }

  #receive(answer: WriteAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('error' in answer) waiting?.reject(fromStatementFailure(answer.error));
    else waiting?.resolve([...answer.rows]);
  }

  #fail(cause?: unknown): void {
    this.#lost ??= new TrellisError('STORE_UNAVAILABLE', 'The thread of a large write has ended.', {
      hint: 'Look whether it was stored, and call again if not.',
      cause,
    });
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }
}

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programFile } from '../../../file/package-files.js';
import { TrellisError } from '../../../model/error.js';
import type { Executor, Fragment, SqlParam, SqlRow } from '../../sql/executor.js';
import { fromStatementFailure } from '../statement-failure.js';
import type { WriteAnswer, WriteMessage, WriteOrder, WriteQuestion } from './write-messages.js';

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

  constructor(path: string) {
    this.#worker = new Worker(programFile(import.meta.url, './write-worker.js'), { workerData: path });
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

  insert(table: string, columns: readonly string[], rows: readonly (readonly SqlParam[])[]): void {
    if (rows.length > 0) this.#send({ kind: 'insert', table, columns, rows });
  }

  /** Runs statements without keeping them prepared. */
  exec(sql: string): void {
    this.#send({ kind: 'exec', sql });
  }

  /** Resolves when everything that was sent is done; throws the first of its errors. */
  async flush(): Promise<void> {
    await this.#ask({ kind: 'flush' });
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

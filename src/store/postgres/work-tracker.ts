import { TrellisError } from '../../model/error.js';
import { describePostgresError, isLostConnection } from './postgres-errors.js';
import { retryTransient } from './transaction-runner.js';

/** The running work of a store, which `close` waits for. */
export class WorkTracker {
  readonly #location: string;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(location: string) {
    this.#location = location;
  }

  /** Runs work unless the store is closed, and describes the errors of the database. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new TrellisError('STOPPED', 'The store is closed.');
    try {
      return await this.track(work());
    } catch (error) {
      throw describePostgresError(error, this.#location);
    }
  }

  /** A read that lost its connection is repeated. */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.run(() => retryTransient(work, isLostConnection));
  }

  track<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  /** Accepts no more work, and runs `last` when all work has ended. */
  close(last: () => Promise<void>): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#running).then(last);
    return this.#closing;
  }
}

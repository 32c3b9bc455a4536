import { TrellisError } from '../../model/error.js';
import { describePostgresError, isLostConnection } from './postgres-errors.js';
import { retryTransient } from './transaction-runner.js';

/** What a store is doing at the moment, which its closing waits for. */
export class WorkTracker {
  readonly #location: string;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  /** @param location As errors call the database. */
  constructor(location: string) {
    this.#location = location;
  }

  /** Does something unless the store is closed, and gives the database's errors words a user can act on. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new TrellisError('STOPPED', 'The store is closed.');
    try {
      return await this.track(work());
    } catch (error) {
      throw describePostgresError(error, this.#location);
    }
  }

  /** Reads change nothing, so one that lost its connection is simply done again. */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.run(() => retryTransient(work, isLostConnection));
  }

  /** Lets the closing wait for something that nobody else does. */
  track<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  /** Takes no more work, and does `last` when all that is running has ended. */
  close(last: () => Promise<void>): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#running).then(last);
    return this.#closing;
  }
}

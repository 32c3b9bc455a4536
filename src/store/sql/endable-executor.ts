import { Turns } from '../../bounds/turns.js';
import type { Ending } from '../ending.js';
import type { Executor, SqlParam, SqlRow } from './executor.js';

/** Statements on a connection of this thread that come to an end between two of them, and let others have their turns. */
export class EndableExecutor implements Executor {
  readonly #executor: Executor;
  readonly #ending: Ending;
  readonly #turns = new Turns();

  constructor(executor: Executor, ending: Ending) {
    this.#executor = executor;
    this.#ending = ending;
  }

  async all(sql: string, params?: readonly SqlParam[]): Promise<SqlRow[]> {
    await this.#pause();
    return this.#executor.all(sql, params);
  }

  run(sql: string, params?: readonly SqlParam[]): void {
    this.#ending.check();
    this.#executor.run(sql, params);
  }

  insert(table: string, columns: readonly string[], rows: readonly (readonly SqlParam[])[]): void {
    this.#ending.check();
    this.#executor.insert(table, columns, rows);
  }

  async #pause(): Promise<void> {
    this.#ending.check();
    if (!this.#turns.due) return;
    await this.#turns.give();
    this.#ending.check();
  }
}

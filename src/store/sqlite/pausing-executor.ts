import { TimeSlice } from '../../bounds/time-slice.js';
import type { Ending } from '../ending.js';
import type { Executor, SqlParam, SqlRow, StatementOptions } from '../sql/executor.js';
import type { Connection } from './connection.js';

/**
 * Statements on a connection of this thread: between two of them, and between the rows of a large answer, others have their
 * turns, and what has to end comes to its end. Whoever has the connection keeps it meanwhile.
 */
export class PausingExecutor implements Executor {
  readonly #connection: Connection;
  readonly #ending: Ending | undefined;
  #turns = new TimeSlice();
  #pauses = 0;

  /** @param ending Left out for what is always finished, as a write is. */
  constructor(connection: Connection, ending?: Ending) {
    this.#connection = connection;
    this.#ending = ending;
  }

  /** Something else begins, which has its own time. */
  restart(): this {
    this.#turns = new TimeSlice();
    return this;
  }

  /** How often others had their turns since this was last asked: what was written meanwhile is large. */
  takePauses(): number {
    const pauses = this.#pauses;
    this.#pauses = 0;
    return pauses;
  }

  all(sql: string, params: readonly SqlParam[] = [], options: StatementOptions = {}): Promise<SqlRow[]> {
    // No promise more than needed: most of what runs here is over in no time.
    if (options.large === true || this.#turns.isOver) return this.#patiently(sql, params, options);
    this.#ending?.check();
    return this.#connection.all(sql, params);
  }

  run(sql: string, params?: readonly SqlParam[]): void {
    this.#ending?.check();
    this.#connection.run(sql, params);
  }

  insert(table: string, columns: readonly string[], rows: readonly (readonly SqlParam[])[]): void {
    this.#ending?.check();
    this.#connection.insert(table, columns, rows);
  }

  async #patiently(sql: string, params: readonly SqlParam[], { large }: StatementOptions): Promise<SqlRow[]> {
    await this.#pause();
    // What may be given up must leave no statement half read.
    if (large !== true || this.#ending !== undefined) return this.#connection.all(sql, params);
    const rows: SqlRow[] = [];
    for (const row of this.#connection.each(sql, params)) {
      rows.push(row);
      if (this.#turns.isOver) await this.#pause();
    }
    return rows;
  }

  async #pause(): Promise<void> {
    // Before as well: while statements keep the thread busy, no timer goes off.
    this.#ending?.check();
    if (!this.#turns.isOver) return;
    this.#pauses += 1;
    await this.#turns.yieldToOthers();
    this.#ending?.check();
  }
}

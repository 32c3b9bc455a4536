import { TimeSlice } from '../../bounds/time-slice.js';
import type { ReadCancellation } from '../read-cancellation.js';
import type { Executor, Fragment, SqlParam, SqlRow, StatementOptions } from '../sql/executor.js';
import { forgetCompiledQueries } from '../sql/query/compiled-query-cache.js';
import type { SqliteConnection } from './sqlite-connection.js';

/**
 * Statements on a connection of this thread: between two of them, and between the rows of a large answer, others have their
 * turns, and what has to end comes to its end. Whoever has the connection keeps it meanwhile.
 */
export class YieldingExecutor implements Executor {
  readonly #connection: SqliteConnection;
  readonly #ending: ReadCancellation | undefined;
  #turns = new TimeSlice();
  #pauses = 0;
  #rollbacks = 0;

  /** @param ending Left out for what is always finished, as a write is. */
  constructor(connection: SqliteConnection, ending?: ReadCancellation) {
    this.#connection = connection;
    this.#ending = ending;
  }

  /** Something else begins, which has its own time. */
  restart(): this {
    this.#turns = new TimeSlice();
    if (this.#rollbacks !== this.#connection.rollbacks) forgetCompiledQueries(this);
    this.#rollbacks = this.#connection.rollbacks;
    return this;
  }

  /** How often others had their turns since this was last asked: what was written meanwhile is large. */
  takeYieldCount(): number {
    const pauses = this.#pauses;
    this.#pauses = 0;
    return pauses;
  }

  all(statement: Fragment, options: StatementOptions = {}): Promise<SqlRow[]> {
    // No promise more than needed: most of what runs here is over in no time.
    if (options.large === true || this.#turns.isOver) return this.#patiently(statement, options);
    this.#ending?.throwIfCancelled();
    return this.#connection.all(statement);
  }

  run(statement: Fragment): void {
    this.#ending?.throwIfCancelled();
    this.#connection.run(statement);
  }

  insert(table: string, columns: readonly string[], rows: readonly (readonly SqlParam[])[]): void {
    this.#ending?.throwIfCancelled();
    this.#connection.insert(table, columns, rows);
  }

  async #patiently(statement: Fragment, { large }: StatementOptions): Promise<SqlRow[]> {
    await this.#pause();
    // What may be given up must leave no statement half read.
    if (large !== true || this.#ending !== undefined) return this.#connection.all(statement);
    const rows: SqlRow[] = [];
    for (const row of this.#connection.iterate(statement)) {
      rows.push(row);
      if (this.#turns.isOver) await this.#pause();
    }
    return rows;
  }

  async #pause(): Promise<void> {
    // Before as well: while statements keep the thread busy, no timer goes off.
    this.#ending?.throwIfCancelled();
    if (!this.#turns.isOver) return;
    this.#pauses += 1;
    await this.#turns.yieldToOthers();
    this.#ending?.throwIfCancelled();
  }
}

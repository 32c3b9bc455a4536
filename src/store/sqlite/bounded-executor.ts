import { TimeSlice } from '../../bounds/time-slice.js';
import type { Executor, Fragment, SqlRow, StatementOptions } from '../sql/executor.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** A short read's budget: what this thread reads in a turn or two. */
const maxRows = 2_500;
const maxTextLength = 2_097_152;
/** A row that a search finds counts as so many: others wait as long for it. */
const rowsPerFoundRow = 5;

/** The outcome of a read that exceeded its budget: repeat it where it blocks nobody. */
export const budgetExceeded = Symbol('budgetExceeded');

/**
 * Runs short reads on a connection of this thread, one read at a time, each within a budget. Many short reads take as long
 * as a long one, so this yields to others between statements.
 */
export class BoundedExecutor implements Executor {
  readonly #connection: SqliteConnection;
  readonly #slice = new TimeSlice();
  #rows = 0;
  #text = 0;
  #isExceeded = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Returns `budgetExceeded` instead of the result if the read exceeded its budget. */
  async attempt<T>(read: () => Promise<T>): Promise<T | typeof budgetExceeded> {
    this.#rows = 0;
    this.#text = 0;
    this.#isExceeded = false;
    try {
      const result = await read();
      // The read may have caught the error.
      return this.#isExceeded ? budgetExceeded : result;
    } catch (error) {
      if (this.#isExceeded) return budgetExceeded;
      throw error;
    }
  }

  async all(statement: Fragment, { searches = false }: StatementOptions = {}): Promise<SqlRow[]> {
    if (this.#slice.isOver) await this.#slice.yieldToOthers();
    const rows: SqlRow[] = [];
    let columns: readonly string[] | undefined;
    for (const row of this.#connection.rows(statement)) {
      this.#rows += searches ? rowsPerFoundRow : 1;
      columns ??= Object.keys(row);
      for (const column of columns) {
        const value = row[column];
        if (typeof value === 'string') this.#text += value.length;
      }
      if (this.#rows > maxRows || this.#text > maxTextLength) {
        this.#isExceeded = true;
        throw new Error('The read exceeded its row budget.');
      }
      rows.push(row);
    }
    return rows;
  }

  run(statement: Fragment): void {
    this.#connection.run(statement);
  }

  insert(table: string): never {
    throw new TypeError(`A read does not write into ${table}.`);
  }
}

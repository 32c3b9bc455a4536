import { TimeSlice } from '../../bounds/time-slice.js';
import type { Executor, Fragment, SqlRow } from '../sql/executor.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** What a read of a few things may be answered, all in all: what this thread reads in a turn or two. */
const maxRows = 5_000;
const maxTextLength = 4_194_304;

/** The outcome of a read that turned out long: it is to be done again where it keeps nobody waiting. */
export const budgetExceeded = Symbol('outgrown');

/**
 * Statements of short reads on a connection of this thread, one read at a time: one that turns out long ends. Many short
 * reads are as long as one long read, so others have their turns between statements.
 */
export class BoundedExecutor implements Executor {
  readonly #connection: SqliteConnection;
  readonly #turns = new TimeSlice();
  #rows = 0;
  #text = 0;
  #isOutgrown = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Runs a read; nothing it answered counts if it has turned out long. */
  async attempt<T>(read: () => Promise<T>): Promise<T | typeof budgetExceeded> {
    this.#rows = 0;
    this.#text = 0;
    this.#isOutgrown = false;
    try {
      const answer = await read();
      // Whoever reads may have made do without what it could not have.
      return this.#isOutgrown ? budgetExceeded : answer;
    } catch (error) {
      if (this.#isOutgrown) return budgetExceeded;
      throw error;
    }
  }

  async all(statement: Fragment): Promise<SqlRow[]> {
    if (this.#turns.isOver) await this.#turns.yieldToOthers();
    const rows: SqlRow[] = [];
    let columns: readonly string[] | undefined;
    for (const row of this.#connection.rows(statement)) {
      this.#rows += 1;
      columns ??= Object.keys(row);
      for (const column of columns) {
        const value = row[column];
        if (typeof value === 'string') this.#text += value.length;
      }
      if (this.#rows > maxRows || this.#text > maxTextLength) {
        this.#isOutgrown = true;
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

import { TimeSlice } from '../../bounds/time-slice.js';
import type { ReadCancellation } from '../read-cancellation.js';
import type { EdgeListRequest, Executor, Fragment, SqlRow, StatementOptions } from '../sql/executor.js';
import { forgetCompiledQueries } from '../sql/query/compiled-query-cache.js';
import type { SqliteConnection } from './sqlite-connection.js';

/**
 * Runs statements on a connection of this thread. Between two of them, and between the rows of a large result, it yields to
 * others and notices cancellation. The caller keeps the connection meanwhile.
 */
export class YieldingExecutor implements Executor {
  readonly #connection: SqliteConnection;
  readonly #cancellation: ReadCancellation | undefined;
  #slice = new TimeSlice();
  #pauses = 0;
  #rollbacks = 0;

  /** @param cancellation Left out for what is never cancelled, such as writes. */
  constructor(connection: SqliteConnection, cancellation?: ReadCancellation) {
    this.#connection = connection;
    this.#cancellation = cancellation;
  }

  /** Starts a new time slice. */
  restart(): this {
    this.#slice = new TimeSlice();
    if (this.#rollbacks !== this.#connection.rollbacks) forgetCompiledQueries(this);
    this.#rollbacks = this.#connection.rollbacks;
    return this;
  }

  /** How often this yielded since the last call: often means a large write. */
  takeYieldCount(): number {
    const pauses = this.#pauses;
    this.#pauses = 0;
    return pauses;
  }

  all(statement: Fragment, options: StatementOptions = {}): Promise<SqlRow[]> {
    // No extra promise: most statements are over in no time.
    if (options.large === true || this.#slice.isOver) return this.#allYielding(statement, options);
    this.#cancellation?.throwIfCancelled();
    return this.#connection.all(statement);
  }

  /** Not in writes: what they have changed may be rolled back. */
  async prepareEdges(request: EdgeListRequest): Promise<boolean> {
    return this.#cancellation !== undefined && this.#connection.prepareEdges(request);
  }

  run(statement: Fragment): void {
    this.#cancellation?.throwIfCancelled();
    this.#connection.run(statement);
  }

  insert(...insert: Parameters<Executor['insert']>): void {
    this.#cancellation?.throwIfCancelled();
    this.#connection.insert(...insert);
  }

  async #allYielding(statement: Fragment, { large }: StatementOptions): Promise<SqlRow[]> {
    await this.#pause();
    // A cancelled read must not leave a statement half read.
    if (large !== true || this.#cancellation !== undefined) return this.#connection.all(statement);
    const rows: SqlRow[] = [];
    for (const row of this.#connection.iterate(statement)) {
      rows.push(row);
      if (this.#slice.isOver) await this.#pause();
    }
    return rows;
  }

  async #pause(): Promise<void> {
    // Checked before as well: while statements keep the thread busy, no timer fires.
    this.#cancellation?.throwIfCancelled();
    if (!this.#slice.isOver) return;
    this.#pauses += 1;
    await this.#slice.yieldToOthers();
    this.#cancellation?.throwIfCancelled();
  }
}

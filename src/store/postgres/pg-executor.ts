import type pg from 'pg';
import type { Executor, Fragment, SqlParam, SqlRow, StatementOptions } from '../sql/executor.js';

/** Rows of one insert; more go in several statements, since a statement takes at most 65,535 parameters. */
const rowsPerInsert = 500;

/**
 * Runs statements on a connection, or on any of a pool's. They are prepared once per connection. Those that answer
 * nothing are sent along with what comes next, which saves their round trips.
 */
export class PgExecutor implements Executor {
  readonly #target: pg.PoolClient | pg.Pool;
  #underway: Promise<unknown>[] = [];

  constructor(target: pg.PoolClient | pg.Pool) {
    this.#target = target;
  }

  async all({ sql, params }: Fragment, { adHoc = false }: StatementOptions = {}): Promise<SqlRow[]> {
    const statement = adHoc ? prepareAdHoc(sql) : prepareStatement(sql);
    const answer = this.#query({ ...statement, values: [...params] });
    if (this.#underway.length > 0) await this.#arrived(answer);
    return (await answer).rows;
  }

  run({ sql, params }: Fragment): void {
    this.#send({ ...prepareStatement(sql), values: [...params] });
  }

  insert(table: string, columns: readonly string[], rows: readonly (readonly SqlParam[])[]): void {
    for (let at = 0; at < rows.length; at += rowsPerInsert) {
      const portion = rows.slice(at, at + rowsPerInsert);
      const places = `(${columns.map(() => '?').join(', ')})`;
      const values = portion.map(() => places).join(', ');
      const sql = `insert into ${table} (${columns.join(', ')}) values ${values}`;
      // Only the commonest sizes are worth keeping a prepared statement for.
      const statement = portion.length <= 3 ? prepareStatement(sql) : { text: numberPlaceholders(sql) };
      this.#send({ ...statement, values: portion.flatMap((row) => [...row]) });
    }
  }

  /** Resolves when everything that was sent has been done; throws the first of its errors. */
  async flush(): Promise<void> {
    await this.#arrived();
  }

  /** What is asked without waiting in between goes out in one packet: handing one to the system costs more than filling it. */
  #query(statement: pg.QueryConfig): Promise<pg.QueryResult<SqlRow>> {
    if ('connection' in this.#target) {
      const { stream } = this.#target.connection;
      stream.cork();
      process.nextTick(() => stream.uncork());
    }
    return this.#target.query<SqlRow>(statement);
  }

  #send(statement: pg.QueryConfig): void {
    const underway = this.#query(statement);
    // Whoever waits for the next answer is told.
    underway.catch(() => {});
    this.#underway.push(underway);
  }

  /** Of several errors the first is the cause; the others only say that the transaction has failed. */
  async #arrived(last?: Promise<unknown>): Promise<void> {
    const underway = last === undefined ? this.#underway : [...this.#underway, last];
    this.#underway = [];
    for (const outcome of await Promise.allSettled(underway)) {
      if (outcome.status === 'rejected') throw outcome.reason;
    }
  }
}

const statements = new Map<string, { name: string; text: string }>();

function prepareStatement(sql: string): { name: string; text: string } {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const statement = { name: `trellis_${statements.size}`, text: numberPlaceholders(sql) };
  statements.set(sql, statement);
  return statement;
}

/** So many statements that others make up are kept: of stored queries, which come again and again, that is all of them. */
const maxAdHoc = 200;
const adHocStatements = new Set<string>();

function prepareAdHoc(sql: string): pg.QueryConfig {
  if (!adHocStatements.has(sql)) {
    if (adHocStatements.size >= maxAdHoc) return { text: numberPlaceholders(sql) };
    adHocStatements.add(sql);
  }
  return prepareStatement(sql);
}

function numberPlaceholders(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => `$${++count}`);
}

import type pg from 'pg';
import type { Executor, Fragment, SqlParam, SqlRow, StatementOptions } from '../sql/executor.js';
import { LargeTransactionPlans } from './large-transaction-plans.js';
import { postgresErrorCode } from './postgres-errors.js';

/** Says only that an earlier statement has failed. */
const transactionAborted = '25P02';

/** A statement takes at most 65,535 parameters. */
const rowsPerInsert = 500;

/**
 * Runs statements on a connection, or on any of a pool's, which prepares them once. Statements without a result are not
 * awaited, which saves their round trips; `all` and `flush` report their errors.
 */
export class PgExecutor implements Executor {
  readonly #target: pg.PoolClient | pg.Pool;
  #pending: Promise<unknown>[] = [];
  readonly #plans = new LargeTransactionPlans();
  #failure: unknown;
  /** The error that aborted the transaction, or the last of its savepoints. */
  #cause: unknown;

  constructor(target: pg.PoolClient | pg.Pool) {
    this.#target = target;
  }

  async all({ sql, params }: Fragment, { adHoc = false }: StatementOptions = {}): Promise<SqlRow[]> {
    const result = this.#query(bind(adHoc ? prepareAdHoc(sql) : prepareStatement(sql), params));
    if (this.#pending.length > 0) await this.#settle(result);
    return (await result).rows;
  }

  run({ sql, params }: Fragment): void {
    this.#send(bind(prepareStatement(sql), params));
  }

  insert(...[table, columns, rows, { missing = false } = {}]: Parameters<Executor['insert']>): void {
    const suffix = missing ? ' on conflict do nothing' : '';
    for (const setting of this.#plans.before(rows.length)) this.run({ sql: setting, params: [] });
    for (let at = 0; at < rows.length; at += rowsPerInsert) {
      const batch = rows.slice(at, at + rowsPerInsert);
      const placeholders = `(${columns.map(() => '?').join(', ')})`;
      const values = batch.map(() => placeholders).join(', ');
      const sql = `insert into ${table} (${columns.join(', ')}) values ${values}${suffix}`;
      // Only the commonest sizes are worth keeping a prepared statement for.
      const statement = batch.length <= 3 ? prepareStatement(sql) : numberPlaceholders(sql);
      this.#send(bind(statement, batch.flat()));
    }
  }

  /** Resolves when everything that was sent is done; throws the first of its errors. */
  async flush(): Promise<void> {
    await this.#settle();
  }

  /** The first error of a statement, if any failed. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Statements sent without waiting in between share a packet: sending one costs more than filling it. */
  #query(statement: pg.QueryConfig): Promise<pg.QueryResult<SqlRow>> {
    if ('connection' in this.#target) {
      const { stream } = this.#target.connection;
      stream.cork();
      process.nextTick(() => stream.uncork());
    }
    const result = this.#target.query<SqlRow>(statement).catch((error: unknown) => {
      if (postgresErrorCode(error) !== transactionAborted) this.#cause = error;
      throw this.#cause ?? error;
    });
    result.catch((error) => {
      this.#failure ??= error;
    });
    return result;
  }

  #send(statement: pg.QueryConfig): void {
    // The next `all` or `flush` reports the error.
    this.#pending.push(this.#query(statement));
  }

  /** The first error is the cause; later ones only say that the transaction has failed. */
  async #settle(last?: Promise<unknown>): Promise<void> {
    const pending = last === undefined ? this.#pending : [...this.#pending, last];
    this.#pending = [];
    for (const outcome of await Promise.allSettled(pending)) {
      if (outcome.status === 'rejected') throw outcome.reason;
    }
  }
}

interface Statement {
  /** Absent if it is not worth keeping prepared. */
  readonly name?: string;
  readonly text: string;
  /** The places of the second and later `graph = ?`, which are the same parameter as the first. */
  readonly repeats: ReadonlySet<number>;
  readonly firstGraph: number;
}

function bind({ repeats, firstGraph, ...statement }: Statement, params: readonly SqlParam[]): pg.QueryConfig {
  if (repeats.size === 0) return { ...statement, values: [...params] };
  const values = params.filter((param, place) => {
    if (!repeats.has(place)) return true;
    if (param !== params[firstGraph]) throw new Error(`A statement names two graphs: ${statement.text}`);
    return false;
  });
  return { ...statement, values };
}

const statements = new Map<string, Statement>();

function prepareStatement(sql: string): Statement {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const statement = { name: `trellis_${statements.size}`, ...numberPlaceholders(sql) };
  statements.set(sql, statement);
  return statement;
}

/** How many ad-hoc statements stay prepared: enough for all stored queries. */
const maxAdHoc = 200;
const adHocStatements = new Set<string>();

function prepareAdHoc(sql: string): Statement {
  if (!adHocStatements.has(sql)) {
    if (adHocStatements.size >= maxAdHoc) return numberPlaceholders(sql);
    adHocStatements.add(sql);
  }
  return prepareStatement(sql);
}

/**
 * Gives every `?` a number. All `graph = ?` share one: a distributed database sends a statement to one node only if it sees
 * that all tables are asked for the same graph.
 */
function numberPlaceholders(sql: string): Statement {
  let place = -1;
  let count = 0;
  let firstGraph = -1;
  let graphNumber = 0;
  const repeats = new Set<number>();
  const text = sql.replaceAll(/(\bgraph = )?\?/g, (_, names: string | undefined) => {
    place++;
    if (names === undefined) return `$${++count}`;
    if (firstGraph === -1) {
      firstGraph = place;
      graphNumber = ++count;
    } else {
      repeats.add(place);
    }
    return `${names}$${graphNumber}`;
  });
  return { text, repeats, firstGraph };
}

import { Mutex } from '../../bounds/mutex.js';
import type { EdgeListRequest, Executor, Fragment, SqlParam, SqlRow, SqlValue } from '../sql/executor.js';
import { type Database, sqliteBinding } from './sqlite-binding.js';
import { EdgeListCache } from './traversal/edge-list-cache.js';

/** How long SQLite itself waits for a lock. Short, because it blocks the thread; callers wait longer. */
const busyTimeoutMs = 5;
const cacheKiB = 16_384;
const maxStatements = 200;

type Statement = ReturnType<Database['prepare']>;

interface Insert {
  readonly columns: readonly string[];
  readonly statement: Statement;
}

/** One SQLite connection with its prepared statements, and a mutex that keeps transactions apart. */
export class SqliteConnection implements Executor {
  /** How many writes were rolled back. */
  rollbacks = 0;
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  /** The last insert into each table; the next one is mostly the same. */
  readonly #inserts = new Map<string, Insert>();
  /** Statements whose rows are being read: one of the bindings crashes if they are garbage collected. */
  readonly #iterated = new Set<Statement>();
  readonly #mutex = new Mutex();
  readonly edges = new EdgeListCache(this);

  constructor(path: string, options: { readOnly?: boolean } = {}) {
    this.#database = new sqliteBinding.Database(path, options);
    this.#database.exec(`pragma busy_timeout = ${busyTimeoutMs}; pragma cache_size = -${cacheKiB};
      pragma temp_store = memory; pragma trusted_schema = off`);
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Runs `work` while nothing else runs on this connection; different owners take turns. */
  exclusive<T>(work: () => Promise<T>, owner?: string): Promise<T> {
    return this.#mutex.run(work, owner);
  }

  get hasWaiters(): boolean {
    return this.#mutex.hasWaiters;
  }

  defineFunction(name: string, call: (...values: SqlValue[]) => SqlValue): void {
    this.#database.function(name, { deterministic: true, varargs: true }, call);
  }

  /** Runs statements without keeping them prepared. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  async all({ sql, params }: Fragment): Promise<SqlRow[]> {
    return this.#prepare(sql).all(...bindParams(params)) as unknown as SqlRow[];
  }

  /** Iterates over rows at once: nobody may run the same statement meanwhile. */
  rows({ sql, params }: Fragment): Iterable<SqlRow> {
    return this.#prepare(sql).iterate(...bindParams(params)) as Iterable<SqlRow>;
  }

  /** Iterates over rows with a statement of its own: others may run the same one meanwhile. */
  *iterate({ sql, params }: Fragment): Generator<SqlRow> {
    const statement = this.#database.prepare(sql);
    this.#iterated.add(statement);
    try {
      yield* statement.iterate(...bindParams(params)) as Iterable<SqlRow>;
    } finally {
      this.#iterated.delete(statement);
    }
  }

  prepareEdges(request: EdgeListRequest): Promise<boolean> {
    return this.edges.prepare(request);
  }

  run({ sql, params }: Fragment): void {
    execute(this.#prepare(sql), params);
  }

  insert(...[table, columns, rows, { missing = false } = {}]: Parameters<Executor['insert']>): void {
    if (rows.length === 0) return;
    const statement = missing ? this.#insertMissing(table, columns) : this.#insertInto(table, columns);
    for (const row of rows) execute(statement, row);
  }

  close(): void {
    this.edges.clear();
    this.#statements.clear();
    this.#inserts.clear();
    this.#database.close();
  }

  #insertInto(table: string, columns: readonly string[]): Statement {
    const last = this.#inserts.get(table);
    if (last?.columns === columns) return last.statement;
    const statement = this.#prepare(insertStatement(table, columns));
    this.#inserts.set(table, { columns, statement });
    return statement;
  }

  #insertMissing(table: string, columns: readonly string[]): Statement {
    return this.#prepare(`${insertStatement(table, columns)} on conflict do nothing`);
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    const [oldest] = this.#statements.keys();
    if (oldest !== undefined && this.#statements.size >= maxStatements) this.#statements.delete(oldest);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function insertStatement(table: string, columns: readonly string[]): string {
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
}

/** Uses `get`, because `run` would create an object that describes the changes. */
function execute(statement: Statement, params: readonly SqlParam[]): void {
  statement.get(...bindParams(params));
}

/** SQLite has no lists: they are bound as JSON, which `json_each` reads. */
function bindParams(params: readonly SqlParam[]): readonly SqlValue[] {
  return hasNoList(params) ? params : params.map((param) => (isList(param) ? JSON.stringify(param) : param));
}

function hasNoList(params: readonly SqlParam[]): params is readonly SqlValue[] {
  return !params.some(isList);
}

function isList(param: SqlParam): param is readonly SqlValue[] {
  return Array.isArray(param);
}

import { LruCache } from '../../../bounds/lru-cache.js';
import type { LongReadLength } from '../../read-options.js';
import type { Executor } from '../../sql/executor.js';
import { readNumber, selectNumber } from '../../sql/rows.js';
import { joinSql, raw, sql } from '../../sql/sql.js';
import type { ReaderSource } from './read-process-messages.js';
import type { ReadProcessPool } from './read-process-pool.js';

/** Reads of fewer rows run on this thread: that takes no longer than starting a process. */
const maxRowsOnThread = 20_000;
/** A server answers its first calls, which are short, before it starts a process. */
const startDelayMs = 100;
/** About how often a read visits each row. */
const passesPerLength = { linear: 1, thorough: 10 } as const;

/** The highest row numbers are a quick upper bound of the row count. */
const maxRowNumbersSql = `select coalesce((select max(row) from node_row), 0)
  + coalesce((select max(row) from observation_row), 0) + coalesce((select max(row) from edge_row), 0) as rows`;

interface LongReadStore {
  read<T>(look: (executor: Executor) => Promise<T>): Promise<T>;
  /** Throws if the store is closed or its file was replaced. */
  checkReadable(): void;
}

/** Decides where reads run that may take long. */
export class LongReadRouter {
  readonly #store: LongReadStore;
  readonly #source: ReaderSource | undefined;
  readonly #maxRows: number;
  /** Graphs with many rows, which hardly ever become small again: saves counting. */
  readonly #large = new LruCache<true>(1_000);
  /** Loaded by the first long read: few sessions need it. */
  #processes: Promise<ReadProcessPool> | undefined;
  #advance: NodeJS.Timeout | undefined;

  /** @param source Undefined if other processes cannot open the store. */
  constructor(store: LongReadStore, source: ReaderSource | undefined, maxRows = maxRowsOnThread) {
    this.#store = store;
    this.#source = source;
    this.#maxRows = maxRows;
  }

  /** Undefined if the graph is to be read on this thread. */
  async processesFor(length: LongReadLength, graph: string): Promise<ReadProcessPool | undefined> {
    if (this.#source === undefined) return undefined;
    if (length !== 'unbounded' && !(await this.#isLarge(graph, this.#maxRows / passesPerLength[length])))
      return undefined;
    return this.processes();
  }

  /** Undefined if other processes cannot open the store. */
  processes(): Promise<ReadProcessPool> | undefined {
    const source = this.#source;
    if (source === undefined) return undefined;
    this.#store.checkReadable();
    this.#processes ??= import('./read-process-pool.js').then(
      ({ ReadProcessPool }) => new ReadProcessPool(source),
    );
    return this.#processes;
  }

  /** Starts a process, so that the first long read need not wait for one. */
  startInAdvance(): void {
    const start = async () => {
      if (this.#processes === undefined) (await this.processes())?.startInAdvance();
    };
    // If it fails, the first read reports why.
    this.#advance ??= setTimeout(() => void start().catch(() => {}), startDelayMs).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#advance);
    await (await this.#processes)?.close();
  }

  #isLarge(graph: string, most: number): Promise<boolean> | boolean {
    return this.#large.get(graph) ?? this.#store.read((executor) => this.#count(executor, graph, most));
  }

  async #count(executor: Executor, graph: string, most: number): Promise<boolean> {
    const [all] = await executor.all(raw(maxRowNumbersSql));
    if (all === undefined || readNumber(all, 'rows') <= most) return false;
    // Counted no further than has to be known.
    const counts = ['node_row', 'observation_row', 'edge_row'].map(
      (table) =>
        sql`(select count(*) from (select 1 from ${raw(table)} r where r.graph = g.id limit ${this.#maxRows + 1}))`,
    );
    const rows = await selectNumber(
      executor,
      sql`select ${joinSql(counts, ' + ')} as n from graph g where g.name = ${graph}`,
    );
    if (rows > this.#maxRows) this.#large.set(graph, true);
    return rows > most;
  }
}

import { LruCache } from '../../../bounds/lru-cache.js';
import type { LongReadLength } from '../../read-options.js';
import type { Executor } from '../../sql/executor.js';
import { readNumber, selectNumber } from '../../sql/rows.js';
import { joinSql, raw, sql } from '../../sql/sql.js';
import type { ReaderSource } from './read-process-messages.js';
import type { ReadProcessPool } from './read-process-pool.js';

/** Looking at fewer rows is done on this thread, since that takes no longer than starting a process. */
const maxRowsOnThread = 20_000;
/** How often each row is looked at, about. */
const passesPerLength = { linear: 1, thorough: 10 } as const;

/** The highest numbers of rows tell at once how many there are at most. */
const maxRowNumbersSql = `select coalesce((select max(row) from node_row), 0)
  + coalesce((select max(row) from observation_row), 0) + coalesce((select max(row) from edge_row), 0) as rows`;

/** What the store of long reads does for them. */
interface LongReadStore {
  read<T>(look: (executor: Executor) => Promise<T>): Promise<T>;
  /** Throws if it is closed, or what is read may no longer be what is stored. */
  checkReadable(): void;
}

/** Decides where reads run that may take long. */
export class LongReadRouter {
  readonly #store: LongReadStore;
  readonly #source: ReaderSource | undefined;
  readonly #atOnce: number;
  /** Graphs whose rows were too many: hardly any becomes small again, and counting is not for nothing. */
  readonly #large = new LruCache<true>(1_000);
  /** Loaded when something long is read, which few sessions do. */
  #processes: Promise<ReadProcessPool> | undefined;

  /**
   * @param source What processes open; undefined if they cannot open what the store has.
   * @param atOnce Rows that are read on this thread at most.
   */
  constructor(store: LongReadStore, source: ReaderSource | undefined, atOnce = maxRowsOnThread) {
    this.#store = store;
    this.#source = source;
    this.#atOnce = atOnce;
  }

  /** The processes in which to read a graph; undefined if that is to be done on this thread. */
  async processesFor(length: LongReadLength, graph: string): Promise<ReadProcessPool | undefined> {
    if (this.#source === undefined) return undefined;
    if (length !== 'unbounded' && !(await this.#isLarge(graph, this.#atOnce / passesPerLength[length])))
      return undefined;
    return this.processes();
  }

  /** The processes, whatever is read there; undefined if they cannot open what the store has. */
  processes(): Promise<ReadProcessPool> | undefined {
    const source = this.#source;
    if (source === undefined) return undefined;
    this.#store.checkReadable();
    this.#processes ??= import('./read-process-pool.js').then(
      ({ ReadProcessPool }) => new ReadProcessPool(source),
    );
    return this.#processes;
  }

  /** Ends everything that is running. */
  async close(): Promise<void> {
    await (await this.#processes)?.close();
  }

  /** Whether a graph has more rows than these. */
  #isLarge(graph: string, most: number): Promise<boolean> | boolean {
    return this.#large.get(graph) ?? this.#store.read((executor) => this.#count(executor, graph, most));
  }

  async #count(executor: Executor, graph: string, most: number): Promise<boolean> {
    const [all] = await executor.all(raw(maxRowNumbersSql));
    if (all === undefined || readNumber(all, 'rows') <= most) return false;
    // Counted no further than has to be known.
    const counts = ['node_row', 'observation_row', 'edge_row'].map(
      (table) =>
        sql`(select count(*) from (select 1 from ${raw(table)} r where r.graph = g.id limit ${this.#atOnce + 1}))`,
    );
    const rows = await selectNumber(
      executor,
      sql`select ${joinSql(counts, ' + ')} as n from graph g where g.name = ${graph}`,
    );
    if (rows > this.#atOnce) this.#large.set(graph, true);
    return rows > most;
  }
}

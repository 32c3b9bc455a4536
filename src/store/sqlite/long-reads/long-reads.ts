import { LruCache } from '../../../bounds/lru-cache.js';
import type { LongRead } from '../../read-options.js';
import type { Executor } from '../../sql/executor.js';
import { integer } from '../../sql/rows.js';
import type { ReaderSource } from './messages.js';
import type { ReadingProcesses } from './reading-processes.js';

/** Looking at fewer rows is done on this thread, since that takes no longer than starting a process. */
const rowsReadAtOnce = 20_000;
/** How often each row is looked at, about. */
const passes = { linear: 1, thorough: 10 } as const;

/** The highest numbers of rows tell at once how many there are at most. */
const highestRows = `select coalesce((select max(row) from node_row), 0)
  + coalesce((select max(row) from observation_row), 0) + coalesce((select max(row) from edge_row), 0) as rows`;

/** How many rows a graph has of each kind, counted no further than has to be known. */
const rowsOfGraph = ['node_row', 'observation_row', 'edge_row']
  .map((table) => `(select count(*) from (select 1 from ${table} r where r.graph = g.id limit ?))`)
  .join(' + ');

/** What the store of long reads does for them. */
interface StoreOfReads {
  looking<T>(look: (executor: Executor) => Promise<T>): Promise<T>;
  /** Throws if it is closed, or what is read may no longer be what is stored. */
  checkReadable(): void;
}

/** Decides where reads run that may take long. */
export class LongReads {
  readonly #store: StoreOfReads;
  readonly #source: ReaderSource | undefined;
  readonly #atOnce: number;
  /** Graphs whose rows were too many: hardly any becomes small again, and counting is not for nothing. */
  readonly #large = new LruCache<true>(1_000);
  /** Loaded when something long is read, which few sessions do. */
  #processes: Promise<ReadingProcesses> | undefined;

  /**
   * @param source What processes open; undefined if they cannot open what the store has.
   * @param atOnce Rows that are read on this thread at most.
   */
  constructor(store: StoreOfReads, source: ReaderSource | undefined, atOnce = rowsReadAtOnce) {
    this.#store = store;
    this.#source = source;
    this.#atOnce = atOnce;
  }

  /** The processes in which to read a graph; undefined if that is to be done on this thread. */
  async processesFor(length: LongRead, graph: string): Promise<ReadingProcesses | undefined> {
    if (this.#source === undefined) return undefined;
    if (length !== 'unbounded' && !(await this.#isLarge(graph, this.#atOnce / passes[length])))
      return undefined;
    return this.processes();
  }

  /** The processes, whatever is read there; undefined if they cannot open what the store has. */
  processes(): Promise<ReadingProcesses> | undefined {
    const source = this.#source;
    if (source === undefined) return undefined;
    this.#store.checkReadable();
    this.#processes ??= import('./reading-processes.js').then(
      ({ ReadingProcesses }) => new ReadingProcesses(source),
    );
    return this.#processes;
  }

  /** Ends everything that is running. */
  async close(): Promise<void> {
    await (await this.#processes)?.close();
  }

  /** Whether a graph has more rows than these. */
  #isLarge(graph: string, most: number): Promise<boolean> | boolean {
    return this.#large.get(graph) ?? this.#store.looking((executor) => this.#count(executor, graph, most));
  }

  async #count(executor: Executor, graph: string, most: number): Promise<boolean> {
    const [all] = await executor.all(highestRows);
    if (all === undefined || integer(all, 'rows') <= most) return false;
    const limit = this.#atOnce + 1;
    const [own] = await executor.all(`select ${rowsOfGraph} as rows from graph g where g.name = ?`, [
      ...[limit, limit, limit],
      graph,
    ]);
    const rows = own === undefined ? 0 : integer(own, 'rows');
    if (rows > this.#atOnce) this.#large.set(graph, true);
    return rows > most;
  }
}

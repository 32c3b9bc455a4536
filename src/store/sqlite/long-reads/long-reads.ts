import type { Executor } from '../../sql/executor.js';
import { integer } from '../../sql/rows.js';
import type { ReaderSource } from './messages.js';
import type { ReadingProcesses } from './reading-processes.js';

/** A graph of fewer rows is read on this thread, since that takes no longer than starting a process. */
const rowsReadAtOnce = 20_000;
/** The highest numbers of rows tell at once how many there are at most. */
const highestRows = `select coalesce((select max(row) from node_row), 0)
  + coalesce((select max(row) from observation_row), 0) + coalesce((select max(row) from edge_row), 0) as rows`;

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
  /** Loaded when something long is read, which few sessions do. */
  #processes: Promise<ReadingProcesses> | undefined;

  /** @param source What processes open; undefined if they cannot open what the store has. */
  constructor(store: StoreOfReads, source: ReaderSource | undefined) {
    this.#store = store;
    this.#source = source;
  }

  /** The processes in which to read; undefined if that is to be done on this thread. */
  async processesFor(length: 'linear' | 'unbounded'): Promise<ReadingProcesses | undefined> {
    const source = this.#source;
    if (source === undefined || (length === 'linear' && !(await this.#isLarge()))) return undefined;
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

  async #isLarge(): Promise<boolean> {
    const [row] = await this.#store.looking((executor) => executor.all(highestRows));
    return row !== undefined && integer(row, 'rows') > rowsReadAtOnce;
  }
}

import { FairSemaphore, type SlotRequest } from '../../../bounds/fair-semaphore.js';
import { TrellisError } from '../../../model/error.js';
import { Ending } from '../../ending.js';
import type { Executor } from '../../sql/executor.js';
import { patiently } from '../transaction.js';
import type { ReaderSource } from './messages.js';
import { ReadingProcess } from './reading-process.js';

/** Reads that run at the same time; more wait for their turn. One place is kept for what is not long. */
const room = { most: 4, mostLong: 3, mostOfActor: 2 };
/** A process that nobody needed for this long is ended. */
const idleMs = 30_000;

interface Idle {
  readonly process: ReadingProcess;
  readonly timer: NodeJS.Timeout;
}

/** The few processes in which long reads of a database run, started when they are needed. */
export class ReadingProcesses {
  readonly #source: ReaderSource;
  /** The one used last stands last: it is used first, so that the others may end. */
  readonly #idle: Idle[] = [];
  readonly #busy = new Set<ReadingProcess>();
  /** What ends the reads that run, and those that wait. */
  readonly #endings = new Set<Ending>();
  readonly #places = new FairSemaphore(room);
  #closed: TrellisError | undefined;

  constructor(source: ReaderSource) {
    this.#source = source;
  }

  /**
   * Runs `work` on one unchanging state of the database, which `look` fixes, on a process that is its own until then. If it
   * has to end before it is done, the process is killed.
   */
  run<L, T>(
    seeker: SlotRequest,
    ending: Ending,
    look: (executor: Executor) => Promise<L>,
    work: (executor: Executor, seen: L) => Promise<T>,
  ): Promise<T> {
    return this.#on(seeker, ending, async (process) => {
      await patiently(() => process.all('begin'));
      try {
        return await work(process, await patiently(() => look(process)));
      } finally {
        await finish(process);
      }
    });
  }

  /** Moves what the log of the database has into its file, as far as nobody reads it: a large log would keep this thread. */
  foldLog(): Promise<boolean> {
    const upkeep = { actor: '', graph: '', isLong: false };
    return this.#on(upkeep, new Ending({}), async (process) => {
      const [folded] = await process.all('pragma wal_checkpoint(passive)');
      return folded?.['log'] === folded?.['checkpointed'];
    });
  }

  /** Ends everything that is running. */
  async close(): Promise<void> {
    this.#closed ??= new TrellisError('STOPPED', 'The store was closed.');
    for (const ending of this.#endings) ending.end(this.#closed);
    for (const { timer } of this.#idle) clearTimeout(timer);
    const all = [...this.#idle.splice(0).map(({ process }) => process), ...this.#busy];
    await Promise.all(all.map((process) => process.kill()));
  }

  async #on<T>(
    seeker: SlotRequest,
    ending: Ending,
    work: (process: ReadingProcess) => Promise<T>,
  ): Promise<T> {
    if (this.#closed !== undefined) throw this.#closed;
    this.#endings.add(ending);
    try {
      const leave = await this.#places.acquire(seeker, ending.signal);
      try {
        return await this.#withProcess(ending, work);
      } finally {
        leave();
      }
    } finally {
      this.#endings.delete(ending);
    }
  }

  async #withProcess<T>(ending: Ending, work: (process: ReadingProcess) => Promise<T>): Promise<T> {
    ending.check();
    const process = this.#wake() ?? new ReadingProcess(this.#source);
    process.keepsAlive(true);
    this.#busy.add(process);
    const kill = () => {
      void process.kill();
    };
    ending.signal.addEventListener('abort', kill, { once: true });
    try {
      return await ending.unlessEnded(() => work(process));
    } finally {
      ending.signal.removeEventListener('abort', kill);
      if (process.busy) await process.kill();
      this.#giveBack(process);
    }
  }

  #wake(): ReadingProcess | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (!idle.process.lost) return idle.process;
    }
    return undefined;
  }

  #giveBack(process: ReadingProcess): void {
    this.#busy.delete(process);
    if (!process.lost && this.#closed === undefined) {
      process.keepsAlive(false);
      const timer = setTimeout(() => this.#retire(process), idleMs).unref();
      this.#idle.push({ process, timer });
    }
  }

  #retire(process: ReadingProcess): void {
    const place = this.#idle.findIndex((idle) => idle.process === process);
    if (place >= 0) this.#idle.splice(place, 1);
    void process.kill();
  }
}

/** Lets go of the state that was read. What a failed read left running may take for ever, and goes with its process. */
async function finish(process: ReadingProcess): Promise<void> {
  try {
    if (!process.busy) {
      await process.all('commit');
      return;
    }
  } catch {
    // Then it is of no more use.
  }
  await process.kill();
}

import { FairSemaphore, type SlotRequest } from '../../../bounds/fair-semaphore.js';
import { TrellisError } from '../../../model/error.js';
import { ReadCancellation } from '../../read-cancellation.js';
import type { Executor } from '../../sql/executor.js';
import { sql } from '../../sql/sql.js';
import { retryWhileBusy } from '../transaction.js';
import { ReadProcessHandle } from './read-process-handle.js';
import type { ReaderSource } from './read-process-messages.js';

/** Reads that run at the same time; more wait. One slot is reserved for reads that are not long. */
const slotLimits = { max: 4, maxLong: 3, maxPerActor: 2 };
const idleMs = 30_000;

interface IdleProcess {
  readonly process: ReadProcessHandle;
  readonly timer: NodeJS.Timeout;
}

/** The few processes in which long reads of a database run, started when they are needed. */
export class ReadProcessPool {
  readonly #source: ReaderSource;
  /** The one used last stands last: it is used first, so that the others may end. */
  readonly #idle: IdleProcess[] = [];
  readonly #busy = new Set<ReadProcessHandle>();
  /** What ends the reads that run, and those that wait. */
  readonly #endings = new Set<ReadCancellation>();
  readonly #places = new FairSemaphore(slotLimits);
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
    ending: ReadCancellation,
    look: (executor: Executor) => Promise<L>,
    work: (executor: Executor, seen: L) => Promise<T>,
  ): Promise<T> {
    return this.#on(seeker, ending, async (process) => {
      await retryWhileBusy(() => process.all(sql`begin`));
      try {
        return await work(process, await retryWhileBusy(() => look(process)));
      } finally {
        await endTransaction(process);
      }
    });
  }

  /** Moves what the log of the database has into its file, as far as nobody reads it: a large log would keep this thread. */
  checkpointLog(): Promise<boolean> {
    const upkeep = { actor: '', graph: '', isLong: false };
    return this.#on(upkeep, new ReadCancellation({}), async (process) => {
      const [folded] = await process.all(sql`pragma wal_checkpoint(passive)`);
      return folded?.['log'] === folded?.['checkpointed'];
    });
  }

  async close(): Promise<void> {
    this.#closed ??= new TrellisError('STOPPED', 'The store was closed.');
    for (const ending of this.#endings) ending.cancel(this.#closed);
    for (const { timer } of this.#idle) clearTimeout(timer);
    const all = [...this.#idle.splice(0).map(({ process }) => process), ...this.#busy];
    await Promise.all(all.map((process) => process.kill()));
  }

  async #on<T>(
    seeker: SlotRequest,
    ending: ReadCancellation,
    work: (process: ReadProcessHandle) => Promise<T>,
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

  async #withProcess<T>(
    ending: ReadCancellation,
    work: (process: ReadProcessHandle) => Promise<T>,
  ): Promise<T> {
    ending.throwIfCancelled();
    const process = this.#wake() ?? new ReadProcessHandle(this.#source);
    process.setKeepAlive(true);
    this.#busy.add(process);
    const kill = () => {
      void process.kill();
    };
    ending.signal.addEventListener('abort', kill, { once: true });
    try {
      return await ending.raceCancellation(() => work(process));
    } finally {
      ending.signal.removeEventListener('abort', kill);
      if (process.busy) await process.kill();
      this.#giveBack(process);
    }
  }

  #wake(): ReadProcessHandle | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (!idle.process.lost) return idle.process;
    }
    return undefined;
  }

  #giveBack(process: ReadProcessHandle): void {
    this.#busy.delete(process);
    if (!process.lost && this.#closed === undefined) {
      process.setKeepAlive(false);
      const timer = setTimeout(() => this.#retire(process), idleMs).unref();
      this.#idle.push({ process, timer });
    }
  }

  #retire(process: ReadProcessHandle): void {
    const place = this.#idle.findIndex((idle) => idle.process === process);
    if (place >= 0) this.#idle.splice(place, 1);
    void process.kill();
  }
}

/** Lets go of the state that was read. What a failed read left running may take for ever, and goes with its process. */
async function endTransaction(process: ReadProcessHandle): Promise<void> {
  try {
    if (!process.busy) {
      await process.all(sql`commit`);
      return;
    }
  } catch {
    // Then it is of no more use.
  }
  await process.kill();
}

import { FairSemaphore, type SlotRequest } from '../../../bounds/fair-semaphore.js';
import { ReadCancellation } from '../../read-cancellation.js';
import { RunningReads } from '../../running-reads.js';
import type { Executor } from '../../sql/executor.js';
import { sql } from '../../sql/sql.js';
import { retryWhileBusy } from '../transaction.js';
import { ReadProcessHandle } from './read-process-handle.js';
import type { ReaderSource } from './read-process-messages.js';

/** Limits of concurrent reads; one slot is reserved for short ones. */
const slotLimits = { max: 4, maxLong: 3, maxPerActor: 2 };
const idleMs = 30_000;

interface IdleProcess {
  readonly process: ReadProcessHandle;
  readonly timer: NodeJS.Timeout;
}

/** Runs long reads of a database in a few processes, which it starts on demand. */
export class ReadProcessPool {
  readonly #source: ReaderSource;
  /** Most recently used last. That one is reused first, so that the others may end. */
  readonly #idle: IdleProcess[] = [];
  readonly #busy = new Set<ReadProcessHandle>();
  readonly #reads = new RunningReads();
  readonly #slots = new FairSemaphore(slotLimits);

  constructor(source: ReaderSource) {
    this.#source = source;
  }

  /** Runs `work` on the state of the database that `look` fixes, in a process of its own; cancelling kills the process. */
  run<L, T>(
    request: SlotRequest,
    cancellation: ReadCancellation,
    look: (executor: Executor) => Promise<L>,
    work: (executor: Executor, seen: L) => Promise<T>,
  ): Promise<T> {
    return this.#on(request, cancellation, async (process) => {
      await retryWhileBusy(() => process.all(sql`begin`));
      try {
        return await work(process, await retryWhileBusy(() => look(process)));
      } finally {
        await endTransaction(process);
      }
    });
  }

  /** Starts a process for the first read to come; returns its id. */
  startInAdvance(): number | undefined {
    const process = new ReadProcessHandle(this.#source);
    this.#giveBack(process);
    return process.pid;
  }

  /** Checkpoints the log, as far as no reader needs it, without blocking this thread. */
  checkpointLog(): Promise<boolean> {
    const upkeep = { actor: '', graph: '', isLong: false };
    return this.#on(upkeep, new ReadCancellation({}), async (process) => {
      const [folded] = await process.all(sql`pragma wal_checkpoint(passive)`);
      return folded?.['log'] === folded?.['checkpointed'];
    });
  }

  async close(): Promise<void> {
    this.#reads.close();
    for (const { timer } of this.#idle) clearTimeout(timer);
    const all = [...this.#idle.splice(0).map(({ process }) => process), ...this.#busy];
    await Promise.all(all.map((process) => process.kill()));
  }

  #on<T>(
    request: SlotRequest,
    cancellation: ReadCancellation,
    work: (process: ReadProcessHandle) => Promise<T>,
  ): Promise<T> {
    return this.#reads.run(cancellation, async () => {
      const release = await this.#slots.acquire(request, cancellation.signal);
      try {
        return await this.#withProcess(cancellation, work);
      } finally {
        release();
      }
    });
  }

  async #withProcess<T>(
    cancellation: ReadCancellation,
    work: (process: ReadProcessHandle) => Promise<T>,
  ): Promise<T> {
    cancellation.throwIfCancelled();
    const process = this.#wake() ?? new ReadProcessHandle(this.#source);
    process.setKeepAlive(true);
    this.#busy.add(process);
    const kill = () => {
      void process.kill();
    };
    cancellation.signal.addEventListener('abort', kill, { once: true });
    try {
      return await cancellation.raceCancellation(() => work(process));
    } finally {
      cancellation.signal.removeEventListener('abort', kill);
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
    if (!process.lost && !this.#reads.isClosed) {
      process.setKeepAlive(false);
      const timer = setTimeout(() => this.#retire(process), idleMs).unref();
      this.#idle.push({ process, timer });
    }
  }

  #retire(process: ReadProcessHandle): void {
    const index = this.#idle.findIndex((idle) => idle.process === process);
    if (index >= 0) this.#idle.splice(index, 1);
    void process.kill();
  }
}

/** A statement that a failed read left running may take for ever: then the process is killed. */
async function endTransaction(process: ReadProcessHandle): Promise<void> {
  if (process.busy) await process.kill();
  else await process.all(sql`commit`).catch(() => process.kill());
}

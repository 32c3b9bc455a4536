import { TrellisError } from '../../../model/error.js';
import type { Ending } from '../../ending.js';
import type { Executor } from '../../sql/executor.js';
import { patiently } from '../transaction.js';
import type { ReaderSource } from './messages.js';
import { ReadingProcess } from './reading-process.js';

/** Reads that run at the same time; more wait for their turn. */
const mostProcesses = 2;
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
  readonly #busy = new Map<ReadingProcess, Ending>();
  readonly #turns: (() => void)[] = [];
  #closed: TrellisError | undefined;

  constructor(source: ReaderSource) {
    this.#source = source;
  }

  /**
   * Runs `work` on one unchanging state of the database, which `look` fixes, on a process that is its own until then. If it
   * has to end before it is done, the process is killed.
   */
  async run<L, T>(
    ending: Ending,
    look: (executor: Executor) => Promise<L>,
    work: (executor: Executor, seen: L) => Promise<T>,
  ): Promise<T> {
    const process = await this.#take(ending);
    const kill = () => {
      void process.kill();
    };
    ending.signal.addEventListener('abort', kill, { once: true });
    try {
      return await ending.unlessEnded(async () => {
        await patiently(() => process.all('begin'));
        return work(process, await patiently(() => look(process)));
      });
    } finally {
      await finish(process);
      ending.signal.removeEventListener('abort', kill);
      this.#giveBack(process);
    }
  }

  /** Ends everything that is running. */
  async close(): Promise<void> {
    this.#closed ??= new TrellisError('STOPPED', 'The store was closed.');
    for (const ending of this.#busy.values()) ending.end(this.#closed);
    for (const wake of this.#turns.splice(0)) wake();
    for (const { timer } of this.#idle) clearTimeout(timer);
    const all = [...this.#idle.splice(0).map(({ process }) => process), ...this.#busy.keys()];
    await Promise.all(all.map((process) => process.kill()));
  }

  async #take(ending: Ending): Promise<ReadingProcess> {
    while (this.#closed === undefined && this.#busy.size >= mostProcesses) await this.#turn(ending);
    ending.check();
    if (this.#closed !== undefined) throw this.#closed;
    const process = this.#wake() ?? new ReadingProcess(this.#source);
    process.keepsAlive(true);
    this.#busy.set(process, ending);
    return process;
  }

  /** Resolves when there may be room, or the read that waits for it has to end. */
  async #turn({ signal }: Ending): Promise<void> {
    await new Promise<void>((wake) => {
      const leave = () => {
        signal.removeEventListener('abort', leave);
        const place = this.#turns.indexOf(leave);
        if (place >= 0) this.#turns.splice(place, 1);
        wake();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#turns.push(leave);
    });
    signal.throwIfAborted();
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
    this.#turns.shift()?.();
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

import { availableParallelism } from 'node:os';
import { NodePairThread } from './node-pair-thread.js';

/** More would compare no faster than vectors are read. */
const mostThreads = Math.min(2, availableParallelism());

/** A few threads that share the work: the nodes of a place are in one of them. */
export class NodePairThreads {
  readonly #started: (Promise<NodePairThread> | undefined)[];
  /** The number of the thread of each place. */
  readonly #numbers = new Map<string, number>();

  /** @param most For tests. */
  constructor(most = mostThreads) {
    this.#started = Array.from({ length: most }, () => undefined);
  }

  /** The thread that has a place, or will have it. */
  async threadOf(key: string): Promise<NodePairThread> {
    const number = this.#numbers.get(key) ?? this.#leastUsed();
    this.#numbers.set(key, number);
    const before = this.#started[number];
    const running = await before?.catch(() => undefined);
    if (running !== undefined && !running.hasFailed) return running;
    const now = this.#started[number];
    // Another call may have started one meanwhile.
    if (now !== undefined && now !== before) return now;
    const started = NodePairThread.start();
    this.#started[number] = started;
    return started;
  }

  forget(key: string): void {
    this.#numbers.delete(key);
  }

  /** Later calls start other threads. */
  async end(): Promise<void> {
    const ending = [...this.#started];
    this.#started.fill(undefined);
    this.#numbers.clear();
    await Promise.all(ending.map(async (thread) => (await thread?.catch(() => undefined))?.end()));
  }

  #leastUsed(): number {
    const uses = this.#started.map(() => 0);
    for (const number of this.#numbers.values()) uses[number] = (uses[number] ?? 0) + 1;
    return uses.indexOf(Math.min(...uses));
  }
}

import type { Store } from '../../store/store-contract.js';
import type { VectorSpace } from '../../store/vector-store.js';
import { BackgroundWork } from '../embedding/background-work.js';
import type { Perspective } from '../perspectives.js';
import { maintainSimilarNodes, needsMaintenance } from './maintain-similar-nodes.js';

interface BackgroundSimilarNodesOptions {
  readonly store: Store;
  spacesOf(perspectives: readonly Perspective[]): Promise<readonly VectorSpace[]>;
  /** Called with the first error; searches work without it. */
  readonly report: (error: unknown) => void;
  /** How long to wait for more changes, and for calls that are more urgent. */
  readonly delayMs?: number;
}

/** A small call that comes meanwhile hardly waits so long. */
const sliceMs = 40;
/** How much longer it rests than it has worked, so that a processor is left to others. */
const restFactor = 1;
/** So often at most it looks whether there is something to do. */
const usualDelayMs = 5_000;

/** Finds similar nodes in advance, when all texts of a graph have vectors from a perspective. Nobody waits for it. */
export class BackgroundSimilarNodes {
  readonly #options: BackgroundSimilarNodesOptions;
  readonly #waiting = new Map<string, readonly Perspective[]>();
  readonly #work = new BackgroundWork(() => this.#maintainWaiting());
  #hasFailed = false;

  constructor(options: BackgroundSimilarNodesOptions) {
    this.#options = options;
  }

  /** Call when the vectors of a graph from these perspectives are complete. */
  wake(graph: string, perspectives: readonly Perspective[]): void {
    this.#waiting.set(graph, perspectives);
    this.#work.scheduleWithin(this.#options.delayMs ?? usualDelayMs);
  }

  /** Resolves when nothing is running or scheduled. */
  idle(): Promise<void> {
    return this.#work.idle();
  }

  /** Does not wait: what is saved is complete, and the next process goes on from there. */
  close(): void {
    void this.#work.close();
  }

  async #maintainWaiting(): Promise<number | null> {
    const { store, spacesOf, report, delayMs = usualDelayMs } = this.#options;
    for (const [graph, perspectives] of [...this.#waiting]) {
      if (this.#work.closed) return null;
      this.#waiting.delete(graph);
      try {
        const maintained = { store, graph, spaces: await spacesOf(perspectives) };
        if (!(await needsMaintenance(maintained))) continue;
        const stopped = () => this.#work.closed;
        await maintainSimilarNodes({
          ...maintained,
          sliceMs,
          stopped,
          pause: (workedMs) => rest(workedMs * restFactor),
        });
      } catch (error) {
        // Also a graph that was deleted meanwhile; a later change is another chance.
        if (!this.#work.closed && !this.#hasFailed) report(error);
        this.#hasFailed = true;
      }
    }
    return this.#waiting.size > 0 ? delayMs : null;
  }
}

/** No process stays alive for it. */
function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

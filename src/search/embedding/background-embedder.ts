import type { Store } from '../../store/contract.js';
import type { Embedder } from '../embedders/embedder.js';
import type { Perspective } from '../perspectives.js';
import { embedGraph } from './embed-graph.js';

/** What embeds in the background, and for which graphs. */
export interface BackgroundOptions {
  readonly store: Store;
  readonly embedder: Embedder;
  perspectivesOf(graph: string): readonly Perspective[];
  /** Told what went wrong; it is tried again. */
  readonly report?: (error: unknown) => void;
  /** How long to wait after a write for more to come. */
  readonly pauseMs?: number;
  /** How long to wait after a failure. */
  readonly retryMs?: number;
}

/** A graph whose texts all had vectors when its branches had these heads. */
interface Complete {
  readonly heads: string;
  /** When the work began that left none without one. */
  readonly began: number;
}

/** Vectors can go without a new commit, by `trellis embed --again` elsewhere: how long to believe that they are there. */
const believedMs = 30_000;

/**
 * Embeds what is written, some time after it was: no write waits for it. What is still to do follows from the store, so
 * nothing is lost when the process ends; the next one that is woken for the graph goes on.
 */
export class BackgroundEmbedder {
  readonly #options: BackgroundOptions;
  readonly #waiting = new Set<string>();
  readonly #complete = new Map<string, Complete>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** Called when a graph is opened, and after each write to it. */
  wake(graph: string): void {
    if (this.#closed || this.#options.store.vectors === null) return;
    this.#waiting.add(graph);
    this.#after(this.#options.pauseMs ?? 50);
  }

  /**
   * Embeds at once what a graph still lacks, and waits for that no longer than this. Answers whether every text that was
   * there has a vector now; if not, the work goes on all the same.
   */
  async catchUp(graph: string, ms: number): Promise<boolean> {
    if (await this.#isComplete(graph)) return true;
    const asked = performance.now();
    while (!this.#closed && this.#options.store.vectors !== null) {
      // What is running already may have begun before the last write.
      const joined = this.#running !== undefined;
      if (!joined) this.#startNow(graph);
      if (!(await settledWithin(this.#running, asked + ms - performance.now()))) return false;
      if ((this.#complete.get(graph)?.began ?? 0) >= asked) return true;
      if (!joined) return false;
    }
    return false;
  }

  /** Resolves when nothing is being embedded, nor about to be. */
  async idle(): Promise<void> {
    while (this.#timer !== undefined || this.#running !== undefined) {
      await (this.#running ?? new Promise((resolve) => setTimeout(resolve, 5)));
    }
  }

  /** Ends after the batch that is being embedded. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  #after(ms: number): void {
    if (this.#closed || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), ms).unref();
  }

  #startNow(graph: string): void {
    clearTimeout(this.#timer);
    this.#waiting.add(graph);
    this.#start();
  }

  #start(): void {
    this.#timer = undefined;
    this.#running = this.#work().then((ms) => {
      this.#running = undefined;
      if (this.#waiting.size > 0) this.#after(ms);
    });
  }

  /** Embeds the graphs that wait; answers after how many milliseconds to look again. */
  async #work(): Promise<number> {
    const { store, embedder, perspectivesOf, report, pauseMs = 50, retryMs = 10_000 } = this.#options;
    for (const graph of [...this.#waiting]) {
      if (this.#closed || store.vectors === null) return pauseMs;
      this.#waiting.delete(graph);
      try {
        const began = performance.now();
        const heads = await this.#heads(graph);
        await embedGraph({
          ...{ vectors: store.vectors, graph, embedder },
          perspectives: perspectivesOf(graph),
          stopped: () => this.#closed,
        });
        if (!this.#closed) this.#complete.set(graph, { heads, began });
      } catch (error) {
        this.#waiting.add(graph);
        report?.(error);
        return retryMs;
      }
    }
    return pauseMs;
  }

  /** A graph with the heads it had when all of it was embedded has no new text, whoever may have written meanwhile. */
  async #isComplete(graph: string): Promise<boolean> {
    const known = this.#complete.get(graph);
    if (known === undefined || performance.now() - known.began > believedMs) return false;
    return known.heads === (await this.#heads(graph));
  }

  async #heads(graph: string): Promise<string> {
    const branches = await this.#options.store.branches(graph);
    return branches.map(({ id, headCommit }) => `${id} ${headCommit}`).join('\n');
  }
}

/** Whether it was done in time. */
async function settledWithin(work: Promise<void> | undefined, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([Promise.resolve(work).then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

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

/**
 * Embeds what is written, some time after it was: no write waits for it. What is still to do follows from the store, so
 * nothing is lost when the process ends; the next one that is woken for the graph goes on.
 */
export class BackgroundEmbedder {
  readonly #options: BackgroundOptions;
  readonly #waiting = new Set<string>();
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
        await embedGraph({
          ...{ vectors: store.vectors, graph, embedder },
          perspectives: perspectivesOf(graph),
          stopped: () => this.#closed,
        });
      } catch (error) {
        this.#waiting.add(graph);
        report?.(error);
        return retryMs;
      }
    }
    return pauseMs;
  }
}

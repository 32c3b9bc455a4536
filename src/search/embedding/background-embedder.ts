import { withTimeout } from '../../bounds/with-timeout.js';
import type { Store } from '../../store/store-contract.js';
import type { Embedder } from '../embedders/embedder.js';
import type { Perspective } from '../perspectives.js';
import { BackgroundWork } from './background-work.js';
import { embedGraph } from './embed-graph.js';

/** What embeds in the background, and for which graphs. */
export interface BackgroundEmbedderOptions {
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
interface CompleteGraph {
  readonly heads: string;
  /** When the work began that left none without one. */
  readonly began: number;
}

/** Vectors can go without a new commit, by `trellis embed --again` elsewhere: how long to believe that they are there. */
const completeTtlMs = 30_000;

/**
 * Embeds what is written, some time after it was: no write waits for it. What is still to do follows from the store, so
 * nothing is lost when the process ends; the next one that is woken for the graph goes on.
 */
export class BackgroundEmbedder {
  readonly #options: BackgroundEmbedderOptions;
  readonly #waiting = new Set<string>();
  readonly #complete = new Map<string, CompleteGraph>();
  #failing = false;
  /** The graph that is being embedded. */
  #current: string | undefined;
  readonly #work = new BackgroundWork(() => this.#embedWaiting());

  constructor(options: BackgroundEmbedderOptions) {
    this.#options = options;
  }

  /** Called when a graph is opened, and after each write to it. */
  wake(graph: string): void {
    if (this.#options.store.vectors === null) return;
    this.#waiting.add(graph);
    this.#work.scheduleWithin(this.#options.pauseMs ?? 50);
  }

  /**
   * Embeds at once what a graph still lacks, and waits for that no longer than this. Answers whether every text that was
   * there has a vector now; if not, the work goes on all the same.
   */
  async catchUp(graph: string, ms: number): Promise<boolean> {
    if (await this.#isComplete(graph)) return true;
    const asked = performance.now();
    while (!this.#work.closed && this.#options.store.vectors !== null) {
      // What is running already may have begun before the last write.
      const joined = this.#work.running !== undefined;
      if (!joined) {
        this.#waiting.add(graph);
        this.#work.runNow();
      }
      const ended = Promise.resolve(this.#work.running).then(() => true);
      if (!(await withTimeout(ended, asked + ms - performance.now(), () => false))) return false;
      if ((this.#complete.get(graph)?.began ?? 0) >= asked) return true;
      if (!joined) return false;
    }
    return false;
  }

  /** Whether the last attempt failed. */
  get isFailing(): boolean {
    return this.#failing;
  }

  /** The graphs that were woken, and whether all their texts had vectors when they were last looked at. */
  get graphs(): ReadonlyMap<string, 'complete' | 'incomplete'> {
    const complete = [...this.#complete.keys()].map((graph) => [graph, 'complete'] as const);
    return new Map([...complete, ...[...this.#incomplete].map((graph) => [graph, 'incomplete'] as const)]);
  }

  /** Resolves when nothing is being embedded, nor about to be. */
  idle(): Promise<void> {
    return this.#work.idle();
  }

  /** Ends after the batch that is being embedded. */
  close(): Promise<void> {
    return this.#work.close();
  }

  /** Embeds the graphs that wait; answers after how many milliseconds to look again, null if none waits. */
  async #embedWaiting(): Promise<number | null> {
    const { store, embedder, perspectivesOf, report, pauseMs = 50, retryMs = 10_000 } = this.#options;
    for (const graph of [...this.#waiting]) {
      if (this.#work.closed || store.vectors === null) return null;
      this.#waiting.delete(graph);
      this.#current = graph;
      try {
        const began = performance.now();
        const heads = await this.#heads(graph);
        await embedGraph({
          ...{ vectors: store.vectors, graph, embedder },
          perspectives: perspectivesOf(graph),
          stopped: () => this.#work.closed,
        });
        this.#failing = false;
        if (!this.#work.closed) this.#complete.set(graph, { heads, began });
      } catch (error) {
        this.#failing = true;
        this.#waiting.add(graph);
        report?.(error);
        return retryMs;
      } finally {
        this.#current = undefined;
      }
    }
    return this.#waiting.size > 0 ? pauseMs : null;
  }

  get #incomplete(): readonly string[] {
    return this.#current === undefined ? [...this.#waiting] : [...this.#waiting, this.#current];
  }

  /** A graph with the heads it had when all of it was embedded has no new text, whoever may have written meanwhile. */
  async #isComplete(graph: string): Promise<boolean> {
    const known = this.#complete.get(graph);
    if (known === undefined || performance.now() - known.began > completeTtlMs) return false;
    return known.heads === (await this.#heads(graph));
  }

  async #heads(graph: string): Promise<string> {
    const branches = await this.#options.store.branches(graph);
    return branches.map(({ id, headCommit }) => `${id} ${headCommit}`).join('\n');
  }
}

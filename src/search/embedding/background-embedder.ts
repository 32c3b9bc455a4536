import { withTimeout } from '../../bounds/with-timeout.js';
import type { Store } from '../../store/store-contract.js';
import type { VectorStore } from '../../store/vector-store.js';
import type { Embedder } from '../embedders/embedder.js';
import type { Perspective } from '../perspectives.js';
import { BackgroundWork } from './background-work.js';
import { dropOtherVectors, embedGraph } from './embed-graph.js';
import { embeddingSpacesOf } from './embedding-spaces.js';
import { isReadOnlyError } from './read-only-error.js';
import type { EmbeddingThread } from './thread/embedding-thread.js';

interface BackgroundEmbedderOptions {
  readonly store: Store;
  readonly embedder: Embedder;
  perspectivesOf(graph: string): readonly Perspective[];
  /** Embeds more than a few texts; default: this thread. */
  readonly thread?: Pick<EmbeddingThread, 'embed' | 'close'> | undefined;
  /** Called when all texts of a graph have vectors from some perspectives, at last from all. */
  readonly completed?: (graph: string, perspectives: readonly Perspective[]) => void;
  /** Called with errors; the work is retried. A store that is read-only is no error: others embed its texts. */
  readonly report?: (error: unknown) => void;
  /** How long to wait after a write for more writes. */
  readonly pauseMs?: number;
  readonly retryMs?: number;
}

/** All texts had vectors when its branches had these heads and its vectors were of this generation. */
interface CompleteGraph {
  readonly heads: string;
  readonly generation: string;
  readonly began: number;
}

/** For fewer, starting a thread takes longer than the work. */
const maxTextsOnMainThread = 64;

/**
 * Embeds new texts some time after they were written: no write waits for it. The store knows what is pending, so
 * nothing is lost when the process ends; the next one continues.
 */
export class BackgroundEmbedder {
  readonly #options: BackgroundEmbedderOptions;
  readonly #waiting = new Set<string>();
  readonly #complete = new Map<string, CompleteGraph>();
  /**
   * Graphs whose vectors of other models were dropped: once, when this model has replaced them. Later ones belong to
   * another process, which would make them again and drop ours.
   */
  readonly #replaced = new Set<string>();
  #failing = false;
  #isReadOnly = false;
  #current: string | undefined;
  readonly #work = new BackgroundWork(() => this.#embedWaiting());

  constructor(options: BackgroundEmbedderOptions) {
    this.#options = options;
  }

  /** Call when a graph is opened, and after each write to it. */
  wake(graph: string): void {
    if (this.#options.store.vectors === null) return;
    this.#waiting.add(graph);
    this.#work.scheduleWithin(this.#options.pauseMs ?? 50);
  }

  /**
   * Embeds pending texts at once, and waits no longer than `ms`. Returns whether every text has a vector now; if not,
   * the work goes on in the background.
   */
  async catchUp(graph: string, ms: number): Promise<boolean> {
    if (await this.isComplete(graph)) return true;
    const asked = performance.now();
    while (!this.#work.closed && this.#options.store.vectors !== null) {
      // A run that has already started may have missed the last write.
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

  get isFailing(): boolean {
    return this.#failing;
  }

  /** Whether the store refused the last vectors because it is read-only here, such as a replica. */
  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  /** Those that were woken. */
  get graphs(): ReadonlySet<string> {
    const current = this.#current === undefined ? [] : [this.#current];
    return new Set([...this.#complete.keys(), ...this.#waiting, ...current]);
  }

  /**
   * Whether every text has a vector. A graph with the heads it had when it was complete has no new texts; vectors can
   * disappear without a commit, when another process drops them.
   */
  async isComplete(graph: string): Promise<boolean> {
    const known = this.#complete.get(graph);
    if (known === undefined) return false;
    const [heads, generation] = await Promise.all([this.#heads(graph), this.#generation(graph)]);
    return known.heads === heads && known.generation === generation;
  }

  /** Resolves when nothing is running or scheduled. */
  idle(): Promise<void> {
    return this.#work.idle();
  }

  /** Waits for the current batch. */
  async close(): Promise<void> {
    await Promise.all([this.#work.close(), this.#options.thread?.close()]);
  }

  /** Returns when to run again in milliseconds, null if nothing is pending. */
  async #embedWaiting(): Promise<number | null> {
    const { store, report, pauseMs = 50, retryMs = 10_000 } = this.#options;
    for (const graph of [...this.#waiting]) {
      if (this.#work.closed || store.vectors === null) return null;
      this.#waiting.delete(graph);
      this.#current = graph;
      try {
        const began = performance.now();
        const heads = await this.#heads(graph);
        const generation = await this.#embedAll(store.vectors, graph);
        this.#failing = false;
        this.#isReadOnly = false;
        if (this.#work.closed) return null;
        this.#complete.set(graph, { heads, generation, began });
        this.#options.completed?.(graph, this.#options.perspectivesOf(graph));
      } catch (error) {
        this.#isReadOnly = isReadOnlyError(error);
        this.#failing = !this.#isReadOnly;
        this.#waiting.add(graph);
        if (this.#failing) report?.(error);
        return retryMs;
      } finally {
        this.#current = undefined;
      }
    }
    return this.#waiting.size > 0 ? pauseMs : null;
  }

  /** Returns the generation of the vectors when all texts had one. */
  async #embedAll(vectors: VectorStore, graph: string): Promise<string> {
    const { embedder, perspectivesOf, thread } = this.#options;
    const perspectives = perspectivesOf(graph);
    const work = { vectors, graph, embedder, perspectives };
    for (let made = false; ; ) {
      const before = await this.#generation(graph);
      let texts = 0;
      const done: Perspective[] = [];
      const isEnough = () => thread !== undefined && texts >= maxTextsOnMainThread;
      await embedGraph({
        ...work,
        keepOthers: true,
        progress: (embedded) => {
          texts += embedded;
        },
        completed: (perspective) => {
          done.push(perspective);
          if (texts > 0) this.#options.completed?.(graph, [...done]);
        },
        stopped: () => this.#work.closed || isEnough(),
      });
      if (isEnough() && !this.#work.closed) await thread?.embed(graph, perspectives);
      made ||= texts > 0;
      const generation = await this.#generation(graph);
      // These were the first vectors, or some were dropped meanwhile.
      if (generation !== before && !this.#work.closed) continue;
      if (made && !this.#replaced.has(graph) && !this.#work.closed) {
        await dropOtherVectors(work);
        this.#replaced.add(graph);
      }
      return generation;
    }
  }

  async #heads(graph: string): Promise<string> {
    const branches = await this.#options.store.branches(graph);
    return branches.map(({ id, headCommit }) => `${id} ${headCommit}`).join('\n');
  }

  async #generation(graph: string): Promise<string> {
    const { store, embedder, perspectivesOf } = this.#options;
    const spaces = await embeddingSpacesOf({ embedder, perspectives: perspectivesOf(graph) });
    const found = await Promise.all(spaces.map(({ space }) => store.vectors?.generation(graph, space)));
    return found.join(' ');
  }
}

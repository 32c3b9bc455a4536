import { Mutex } from '../../bounds/mutex.js';
import type { Graph, Transaction } from '../../engine/graph.js';
import type { Author } from '../../model/commit.js';
import type { Reader } from '../../store/reader.js';

type Work<T> = (tx: Transaction) => Promise<T>;

/**
 * The writes of a transaction that may take any time. A store's own write cannot stay open while its caller thinks, so
 * each step is rehearsed: it runs after all earlier steps in a write that is then undone. A step that would fail fails
 * at once, reads see the steps before them, and nothing is stored before `commit` runs all steps as one commit. If
 * others changed the graph so that a step fails then, the whole commit fails. The price: n steps run n times.
 */
export class PendingWrites {
  readonly #graph: Graph;
  readonly #author: Author;
  readonly #steps: Work<unknown>[] = [];
  readonly #afterCommit: (() => void)[] = [];
  /** Steps that nobody awaits still run one after the other. */
  readonly #mutex = new Mutex();

  constructor(graph: Graph, author: Author) {
    this.#graph = graph;
    this.#author = author;
  }

  write<T>(work: Work<T>): Promise<T> {
    return this.#mutex.run(async () => {
      const result = await this.#rehearse(work);
      this.#steps.push(work);
      return result;
    });
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#mutex.run(() => this.#rehearse(({ rows }) => work(rows)));
  }

  afterCommit(call: () => void): void {
    this.#afterCommit.push(call);
  }

  async commit(): Promise<void> {
    await this.#mutex.run(() => this.#graph.write(this.#author, (tx) => this.#replay(tx)));
    for (const call of this.#afterCommit) call();
  }

  /** Resolves when no step is running. */
  idle(): Promise<void> {
    return this.#mutex.run(async () => {});
  }

  async #replay(tx: Transaction): Promise<void> {
    for (const step of this.#steps) await step(tx);
  }

  async #rehearse<T>(work: Work<T>): Promise<T> {
    let outcome: { readonly result: T } | undefined;
    try {
      await this.#graph.write(this.#author, async (tx) => {
        outcome = undefined;
        await this.#replay(tx);
        outcome = { result: await work(tx) };
        throw new Rehearsed();
      });
    } catch (error) {
      if (outcome === undefined) throw error;
    }
    if (outcome === undefined) throw new Error('A rehearsal ended without a result.');
    return outcome.result;
  }
}

/** Undoes a rehearsed write. */
class Rehearsed extends Error {}

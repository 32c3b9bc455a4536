import type { Graph, Transaction } from '../../engine/graph.js';
import type { Author } from '../../model/commit.js';
import type { Reader } from '../../store/reader.js';

type Work<T> = (tx: Transaction) => Promise<T>;

/**
 * The writes of a transaction that may take any time. A store's own write cannot be held open while its caller thinks,
 * so each step is rehearsed: all steps so far and the new one are run as a write that is then undone. A step that would
 * fail fails at once, reads see what the steps before them did, and nothing reaches the disk before `commit` runs them
 * all as one commit. A process that dies on the way leaves nothing. If others changed the graph meanwhile so that a step
 * no longer holds, the commit fails as a whole. The price is that n steps are run n times over.
 */
export class PendingWrites {
  readonly #graph: Graph;
  readonly #author: Author;
  readonly #steps: Work<unknown>[] = [];
  readonly #afterwards: (() => void)[] = [];
  /** Steps that are not awaited still come one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(graph: Graph, author: Author) {
    this.#graph = graph;
    this.#author = author;
  }

  write<T>(work: Work<T>): Promise<T> {
    return this.#inTurn(async () => {
      const result = await this.#rehearse(work);
      this.#steps.push(work);
      return result;
    });
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#rehearse(({ rows }) => work(rows)));
  }

  /** Calls something once everything is durable. */
  afterwards(call: () => void): void {
    this.#afterwards.push(call);
  }

  /** Makes it all durable, as one commit. */
  async commit(): Promise<void> {
    await this.#inTurn(() => this.#graph.write(this.#author, (tx) => this.#replay(tx)));
    for (const call of this.#afterwards) call();
  }

  /** Resolves when no step is under way. */
  async idle(): Promise<void> {
    await this.#last;
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

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** Undoes a write that was only tried. */
class Rehearsed extends Error {}

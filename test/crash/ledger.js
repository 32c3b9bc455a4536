// @ts-check
import { Batch, canonical } from './batch.js';

/** @typedef {import('./batch.js').State} State */

/** What a store was found to hold that it may not, or not to hold that it must. */
export class Inconsistent extends Error {}

/** Everything that was written, as sent and as acknowledged; judges what a reader is shown. */
export class Ledger {
  /** @type {Map<string, Batch>} */
  #batches = new Map();
  #made = 0;
  acknowledged = 0;

  /** @param {string} owner Tells the batches of several writers apart. */
  newBatch(owner) {
    const batch = new Batch(`${owner}-${this.#made++}`);
    this.#batches.set(batch.id, batch);
    return batch;
  }

  /** The batches of one writer that nothing is being done to. */
  idle(/** @type {string} */ owner) {
    return [...this.#batches.values()].filter(
      (batch) => !batch.busy && batch.exists && batch.id.startsWith(`${owner}-`),
    );
  }

  /**
   * Remembers what is acknowledged now; the answer to a read that starts now is to be passed to `check`.
   * @returns {Map<Batch, number>}
   */
  mark() {
    return new Map([...this.#batches.values()].map((batch) => [batch, batch.settled]));
  }

  /**
   * Throws unless every batch is found in a state it had since the mark.
   * @param {State} graph
   * @param {Map<Batch, number>} mark
   */
  check(graph, mark = this.mark()) {
    const found = this.#sort(graph);
    for (const batch of this.#batches.values()) this.#find(batch, found, mark.get(batch) ?? 0);
  }

  /**
   * The same for an answer that must hold one batch and nothing else.
   * @param {Batch} batch
   * @param {State} answer
   * @param {number} earliest
   */
  checkOne(batch, answer, earliest) {
    this.#find(batch, new Map([[batch.id, answer]]), earliest);
  }

  /**
   * After a crash: what was acknowledged must be there, what was in flight is there in full or not at all.
   * @param {State} graph
   */
  recover(graph) {
    const found = this.#sort(graph);
    for (const batch of this.#batches.values()) {
      batch.restart(this.#find(batch, found, batch.settled));
      // From here on, any trace of it belongs to no known batch.
      if (!batch.exists) this.#batches.delete(batch.id);
    }
  }

  /**
   * @param {Batch} batch
   * @param {Map<string, State>} found
   * @param {number} earliest
   */
  #find(batch, found, earliest) {
    const state = found.get(batch.id) ?? { entities: [], relations: [] };
    const at = batch.stateFound(state, earliest);
    if (at === undefined) {
      throw new Inconsistent(
        `Batch ${batch.id} is\n      ${canonical(state)}\nbut must be\n      ${batch.describe(earliest)}`,
      );
    }
    return at;
  }

  /**
   * @param {State} graph
   * @returns {Map<string, { entities: import('./batch.js').Entity[], relations: import('./batch.js').Relation[] }>}
   */
  #sort(graph) {
    const found = new Map([...this.#batches.keys()].map((id) => [id, empty()]));
    const owner = (/** @type {string} */ name) => {
      const state = found.get(name.slice(0, name.lastIndexOf('/')));
      if (state === undefined) throw new Inconsistent(`${name} is there, and should not be.`);
      return state;
    };
    for (const entity of graph.entities) owner(entity.name).entities.push(entity);
    for (const relation of graph.relations) owner(relation.from).relations.push(relation);
    return found;
  }
}

const empty = () => ({
  entities: /** @type {import('./batch.js').Entity[]} */ ([]),
  relations: /** @type {import('./batch.js').Relation[]} */ ([]),
});

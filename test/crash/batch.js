// @ts-check
/**
 * @typedef {import('../../bench/lib/dataset.js').Entity} Entity
 * @typedef {import('../../bench/lib/dataset.js').Relation} Relation
 * @typedef {{ entities: readonly Entity[], relations: readonly Relation[] }} State
 */

/** @type {State} */
const nothing = { entities: [], relations: [] };

/**
 * A few entities that are only ever written together, and every state they may be found in. One write at a time touches
 * a batch, so that whatever is found is either the state before a write or the one after it: anything else is a partial
 * write, a lost one, or one that came back.
 */
export class Batch {
  busy = false;
  /** @type {State[]} */
  #states = [nothing];
  /** Which state the last acknowledged write left. */
  #settled = 0;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.names = [`${id}/a`, `${id}/b`, `${id}/c`];
  }

  /** @returns {State} */
  get latest() {
    return this.#states.at(-1) ?? nothing;
  }

  get exists() {
    return this.latest.entities.length > 0;
  }

  /** Where a reader that starts now may find the batch at the earliest. */
  get settled() {
    return this.#settled;
  }

  /** @param {State} after What the write that is about to be sent leaves behind. */
  sent(after) {
    this.busy = true;
    this.#states.push(after);
  }

  acknowledged() {
    this.busy = false;
    this.#settled = this.#states.length - 1;
  }

  /**
   * Which of the states since `earliest` was found.
   * @param {State} found
   * @param {number} earliest
   * @returns {number | undefined}
   */
  stateFound(found, earliest = this.#settled) {
    const text = canonical(found);
    for (let at = this.#states.length - 1; at >= earliest; at--) {
      if (canonical(this.#states[at] ?? nothing) === text) return at;
    }
    return undefined;
  }

  /**
   * After a crash, the found state is the only one left.
   * @param {number} at
   */
  restart(at) {
    this.#states = [this.#states[at] ?? nothing];
    this.#settled = 0;
    this.busy = false;
  }

  /** @param {number} earliest */
  describe(earliest = this.#settled) {
    return this.#states.slice(earliest).map(canonical).join('\n   or ');
  }
}

/** @param {State} state */
export const canonical = ({ entities, relations }) =>
  JSON.stringify({
    entities: entities
      .map(({ name, entityType, observations }) => [name, entityType, observations])
      .sort((a, b) => compare(a[0], b[0])),
    relations: relations.map(({ from, relationType, to }) => `${from} ${relationType} ${to}`).sort(),
  });

/**
 * @param {unknown} a
 * @param {unknown} b
 */
const compare = (a, b) => (String(a) < String(b) ? -1 : 1);

// @ts-check
/**
 * @typedef {{ call(tool: string, args: object): Promise<unknown> }} Caller
 * @typedef {import('../../bench/lib/random.js').Random} Random
 * @typedef {import('./batch.js').Batch} Batch
 * @typedef {import('./batch.js').State} State
 * @typedef {import('./ledger.js').Ledger} Ledger
 *
 * @typedef {{ tool: string, args: object, after: State }} Write
 */

// Few enough that a read of the whole graph stays short, however long the traffic runs.
const keptBatches = 12;

/** One writer's endless mixture of writes to its own batches. */
export class Traffic {
  /** @type {Caller} */
  #client;
  /** @type {Ledger} */
  #ledger;
  /** @type {Random} */
  #random;
  /** @type {string} */
  #owner;

  /**
   * @param {object} options
   * @param {Caller} options.client
   * @param {Ledger} options.ledger
   * @param {Random} options.random
   * @param {string} options.owner
   */
  constructor({ client, ledger, random, owner }) {
    this.#client = client;
    this.#ledger = ledger;
    this.#random = random;
    this.#owner = owner;
  }

  /** Sends the next write and enters it in the ledger. */
  async write() {
    const idle = this.#ledger.idle(this.#owner);
    const batch =
      idle.length === 0 || (idle.length < keptBatches && this.#random.next() < 0.4)
        ? this.#ledger.newBatch(this.#owner)
        : this.#random.pick(idle);
    const { tool, args, after } = this.#plan(batch, idle.length);
    batch.sent(after);
    await this.#client.call(tool, args);
    batch.acknowledged();
    this.#ledger.acknowledged++;
  }

  /**
   * @param {Batch} batch
   * @param {number} idle
   * @returns {Write}
   */
  #plan(batch, idle) {
    if (!batch.exists) return create(batch);
    const chance = this.#random.next();
    if (chance < (idle >= keptBatches ? 0.5 : 0.15)) return remove(batch);
    if (chance < 0.7) return observe(batch, `note ${this.#random.next()}`);
    if (chance < 0.85) return relate(batch, `link ${this.#random.next()}`);
    return forget(batch);
  }
}

/**
 * @param {Batch} batch
 * @returns {Write}
 */
function create({ id, names }) {
  const entities = names.map((name) => ({
    name,
    entityType: 'crash',
    observations: [`first of ${name}`, `second of ${id}`],
  }));
  return { tool: 'create_entities', args: { entities }, after: { entities, relations: [] } };
}

/**
 * @param {Batch} batch
 * @param {string} note
 * @returns {Write}
 */
function observe({ names, latest }, note) {
  return {
    tool: 'add_observations',
    args: { observations: names.map((entityName) => ({ entityName, contents: [note] })) },
    after: {
      ...latest,
      entities: latest.entities.map((entity) => ({
        ...entity,
        observations: [...entity.observations, note],
      })),
    },
  };
}

/**
 * @param {Batch} batch
 * @param {string} relationType
 * @returns {Write}
 */
function relate({ names, latest }, relationType) {
  const relations = names.map((from, at) => ({
    from,
    to: /** @type {string} */ (names[(at + 1) % names.length]),
    relationType,
  }));
  return {
    tool: 'create_relations',
    args: { relations },
    after: { ...latest, relations: [...latest.relations, ...relations] },
  };
}

/**
 * Deletes each entity's newest observation.
 * @param {Batch} batch
 * @returns {Write}
 */
function forget({ latest }) {
  return {
    tool: 'delete_observations',
    args: {
      deletions: latest.entities.map(({ name, observations }) => ({
        entityName: name,
        observations: observations.slice(-1),
      })),
    },
    after: {
      ...latest,
      entities: latest.entities.map((entity) => ({
        ...entity,
        observations: entity.observations.slice(0, -1),
      })),
    },
  };
}

/**
 * @param {Batch} batch
 * @returns {Write}
 */
function remove({ names }) {
  return { tool: 'delete_entities', args: { entityNames: names }, after: { entities: [], relations: [] } };
}

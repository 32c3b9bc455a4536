// @ts-check
import { randomFrom } from '../../../bench/lib/random.js';
import { ServerGone } from '../../../bench/lib/stdio-client.js';
import { Ledger } from '../../crash/ledger.js';
import { Traffic } from '../../crash/traffic.js';

/**
 * @typedef {import('../../../bench/lib/http-server.js').HttpServer} HttpServer
 * @typedef {import('../../crash/batch.js').State} State
 */

/** Clients of several servers that share one database, and the ledger of what they were told. */
export class Crowd {
  ledger = new Ledger();
  /** The longest a client had to wait for an answer. */
  longest = 0;
  #random;

  /** @param {number} seed */
  constructor(seed) {
    this.#random = randomFrom(seed);
  }

  /**
   * Lets clients write through one server until `goesOn` says no, or the server is gone.
   * @param {HttpServer} server
   * @param {string} name
   * @param {number} clients
   * @param {() => boolean} goesOn Asked before every write.
   */
  async write(server, name, clients, goesOn) {
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const owner = `${name}c${client}`;
        const traffic = new Traffic({ client: server, ledger: this.ledger, random: this.#random, owner });
        try {
          while (goesOn()) {
            const start = performance.now();
            await traffic.write();
            this.longest = Math.max(this.longest, performance.now() - start);
          }
        } catch (error) {
          if (!(error instanceof ServerGone)) throw error;
        }
      }),
    );
  }

  /**
   * Throws unless what was acknowledged is there, through this server, and nothing that was not sent.
   * @param {HttpServer} server
   */
  async check(server) {
    const mark = this.ledger.mark();
    this.ledger.check(await readAll(server), mark);
  }
}

/**
 * The whole graph, which may be more than one answer holds.
 * @param {HttpServer} server
 * @returns {Promise<State>}
 */
async function readAll(server) {
  /** @type {Map<string, State['entities'][number]>} */
  const entities = new Map();
  /** @type {Map<string, State['relations'][number]>} */
  const relations = new Map();
  let cursor;
  do {
    const { structuredContent } = await server.call('read_graph', { limit: 1_000, cursor });
    const page = /** @type {State & { nextCursor?: string }} */ (/** @type {unknown} */ (structuredContent));
    for (const entity of page.entities) entities.set(entity.name, entity);
    // One whose ends are on different pages is on both.
    for (const relation of page.relations) relations.set(JSON.stringify(relation), relation);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { entities: [...entities.values()], relations: [...relations.values()] };
}

/**
 * A count that many take from, and that is used up once.
 * @param {number} writes
 */
export function budget(writes) {
  let left = writes;
  return () => left-- > 0;
}

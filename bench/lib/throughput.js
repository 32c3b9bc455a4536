// @ts-check
import { setTimeout as wait } from 'node:timers/promises';
import { HttpServer } from './http-server.js';
import { operations } from './operations.js';

/**
 * Calls a second that servers sharing one database answer together.
 * @typedef {object} Throughput
 * @property {number} servers
 * @property {string} operation
 * @property {number} perSecond
 */

/**
 * @param {string} url A database with entities in it.
 * @param {{ size: number, servers: number, clients: number, seconds: number }} options
 * @returns {Promise<Throughput[]>}
 */
export async function throughput(url, { size, servers, clients, seconds }) {
  const running = await Promise.all(Array.from({ length: servers }, () => HttpServer.start(url)));
  /** @type {Throughput[]} */
  const results = [];
  try {
    for (const operation of operations.filter(({ kind }) => kind !== 'search')) {
      let turn = 0;
      let answered = 0;
      let over = false;
      const prefix = `${servers} servers, `;
      const lanes = running.flatMap((server) =>
        Array.from({ length: clients }, async () => {
          while (!over) {
            const args = operation.args(++turn, size);
            await server.call(operation.tool, renamed(args, prefix));
            answered++;
          }
        }),
      );
      // The first moments go to opening connections and preparing statements.
      await wait(1_000);
      const before = answered;
      const start = performance.now();
      await wait(seconds * 1_000);
      const perSecond = ((answered - before) / (performance.now() - start)) * 1_000;
      over = true;
      await Promise.all(lanes);
      results.push({ servers, operation: operation.name, perSecond });
    }
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
  return results;
}

/**
 * A name is new only once, so newcomers bear the round they came in.
 * @param {object} args
 * @param {string} prefix
 */
function renamed(args, prefix) {
  return JSON.parse(JSON.stringify(args).replaceAll('newcomer', `${prefix}newcomer`));
}

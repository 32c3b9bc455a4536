// @ts-check
import { setTimeout as wait } from 'node:timers/promises';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';
import { fill } from './dataset.js';
import { HttpServer } from './http-server.js';
import { operations } from './operations.js';

/**
 * Calls a second that servers sharing one database answer together.
 * @typedef {object} Throughput
 * @property {number} servers
 * @property {number} graphs
 * @property {string} operation
 * @property {number} perSecond
 */

/**
 * @param {string} url A database with entities in it.
 * @param {{ size: number, servers: number, graphs: readonly string[], clients: number, seconds: number }} options
 *   Servers take turns at the graphs. Clients are as many in all, however many servers there are.
 * @returns {Promise<Throughput[]>}
 */
export async function throughput(url, { size, servers, graphs, clients, seconds }) {
  const running = await Promise.all(Array.from({ length: servers }, () => HttpServer.start(url)));
  /** @type {Throughput[]} */
  const results = [];
  try {
    for (const operation of operations.filter(({ kind }) => kind !== 'search')) {
      let turn = 0;
      let answered = 0;
      let over = false;
      const prefix = `${servers} servers, ${graphs.length} graphs, `;
      const lanes = Array.from({ length: clients }, async (_, client) => {
        const server = /** @type {HttpServer} */ (running[client % servers]);
        const path = `/graphs/${graphs[client % graphs.length]}/memory/mcp`;
        while (!over) {
          const args = operation.args(++turn, size);
          await server.callAt(path, operation.tool, renamed(args, prefix));
          answered++;
        }
      });
      // The first moments go to opening connections and preparing statements.
      await wait(1_000);
      const before = answered;
      const start = performance.now();
      await wait(seconds * 1_000);
      const perSecond = ((answered - before) / (performance.now() - start)) * 1_000;
      over = true;
      await Promise.all(lanes);
      results.push({ servers, graphs: graphs.length, operation: operation.name, perSecond });
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

/**
 * More graphs in the same database, each with entities.
 * @param {string} url
 * @param {number} count
 * @param {number} size
 */
export async function makeGraphs(url, count, size) {
  const names = Array.from({ length: count }, (_, index) => `graph-${index}`);
  const store = await openStoreAtLocation(url);
  for (const name of names) await store.createGraph(name);
  await store.close();
  const server = await HttpServer.start(url);
  for (const name of names)
    await fill({ call: (tool, args) => server.callAt(`/graphs/${name}/memory/mcp`, tool, args) }, size);
  await server.stop();
  return names;
}

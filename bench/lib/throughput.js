// @ts-check
import { setTimeout as wait } from 'node:timers/promises';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';
import { limitCpu } from './cpu-share.js';
import { cpuTime } from './cpu-time.js';
import { fill } from './dataset.js';
import { HttpServer } from './http-server.js';
import { operations } from './operations.js';

/**
 * What servers that share one database do together.
 * CPU time is in milliseconds a call.
 * @typedef {object} Throughput
 * @property {number} servers
 * @property {number} graphs
 * @property {string} operation
 * @property {number} perSecond
 * @property {number} serverCpu
 * @property {number} databaseCpu Of all processes of the database server, whoever uses it.
 * @property {number} clientCpu
 */

/**
 * @typedef {object} Load
 * @property {number} size Entities of each graph.
 * @property {number} servers
 * @property {readonly (readonly string[])[]} graphSets Each is measured by itself. Clients take turns at its graphs.
 * @property {number} clients Of each server.
 * @property {number} warmup Calls of each kind that each server answers first: a new process needs more CPU time.
 * @property {number} seconds
 * @property {readonly number[] | undefined} database Its first processes.
 * @property {number | undefined} share What each server has of a processor while it is measured; without it, as much as it gets.
 */

const measured = operations.filter(({ kind }) => kind !== 'search');
/** A name is new only once. */
let turn = 0;

/**
 * @param {string} url A database with entities in it.
 * @param {Load} load
 * @returns {Promise<Throughput[]>}
 */
export async function throughput(url, load) {
  const { servers, graphSets, warmup, seconds, database, share } = load;
  const limitServers = () =>
    share === undefined
      ? undefined
      : limitCpu(
          running.map(({ pid }) => pid),
          share,
        );
  const running = await Promise.all(Array.from({ length: servers }, () => HttpServer.start(url)));
  /** @type {Throughput[]} */
  const results = [];
  const cpu = () => [cpuTime(running.map(({ pid }) => pid)), cpuTime(database ?? [undefined]), ownCpu()];
  try {
    for (const operation of measured) {
      for (const graphs of graphSets) {
        const clients = startClients(running, operation, graphs, load);
        while (clients.answered() < warmup * servers) await wait(50);
        const lift = limitServers();
        // Until then, calls have begun that were not limited.
        if (lift !== undefined) await wait(1_000);
        const [calls, start, before] = [clients.answered(), performance.now(), cpu()];
        await wait(seconds * 1_000);
        const [after, ms, count] = [cpu(), performance.now() - start, clients.answered() - calls];
        lift?.();
        await clients.stop();
        const [serverCpu, databaseCpu, clientCpu] = after.map(
          (used, at) => (used - Number(before[at])) / count,
        );
        results.push({
          ...{ servers, graphs: graphs.length, operation: operation.name, perSecond: (count / ms) * 1_000 },
          ...{ serverCpu: Number(serverCpu), databaseCpu: Number(databaseCpu), clientCpu: Number(clientCpu) },
        });
      }
    }
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
  return results;
}

/**
 * @param {readonly HttpServer[]} servers
 * @param {import('./operations.js').Operation} operation
 * @param {readonly string[]} graphs
 * @param {Load} load
 */
function startClients(servers, operation, graphs, { clients, size }) {
  let answered = 0;
  let over = false;
  /** @type {unknown} */
  let failure;
  const lanes = Array.from({ length: clients * servers.length }, async (_, client) => {
    const server = /** @type {HttpServer} */ (servers[client % servers.length]);
    const path = `/graphs/${graphs[client % graphs.length]}/memory/mcp`;
    while (!over) {
      await server.callAt(path, operation.tool, operation.args(++turn, size));
      answered++;
    }
  });
  const ended = Promise.all(lanes).catch((error) => {
    failure = error;
  });
  const answeredSoFar = () => {
    if (failure !== undefined) throw failure;
    return answered;
  };
  return {
    answered: answeredSoFar,
    async stop() {
      over = true;
      await ended;
      answeredSoFar();
    },
  };
}

function ownCpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
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

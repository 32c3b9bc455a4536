// @ts-check
import { Agent, request } from 'node:http';
import { strangersToken, tokenOf } from './server.js';

/**
 * @typedef {import('../../../bench/lib/random.js').Random} Random
 * @typedef {{ times: number[], statuses: Map<string, number> }} Measured
 * @typedef {{ method?: string, path: string, token: string, message?: object }} Sent
 */

/**
 * Clients and strangers at once, each asking again as soon as it is answered.
 * @param {{ server: import('./server.js').Server, clients: number, strangers: number, random: Random, isOver: () => boolean }} options
 * @returns {Promise<Map<string, Measured>>}
 */
export async function loads({ server, clients, strangers, random, isOver }) {
  const agent = new Agent({ keepAlive: true });
  /** @type {Map<string, Measured>} */
  const kinds = new Map();
  const ask = async (/** @type {string} */ kind, /** @type {Sent} */ sent) => {
    /** @type {Measured} */
    const measured = kinds.get(kind) ?? { times: [], statuses: new Map() };
    kinds.set(kind, measured);
    const start = performance.now();
    const status = await send(server.url, agent, sent);
    measured.times.push(performance.now() - start);
    measured.statuses.set(status, (measured.statuses.get(status) ?? 0) + 1);
  };
  const loop = async (/** @type {() => Promise<void>} */ turn) => {
    while (!isOver()) await turn();
  };
  await Promise.all([
    ...Array.from({ length: strangers }, () =>
      loop(() =>
        ask('a stranger', {
          path: `/graphs/${random.below(1e9).toString(36)}/snapshot`,
          token: strangersToken,
        }),
      ),
    ),
    ...Array.from({ length: clients }, (_, client) =>
      loop(() => ask('a client', clientTurn(tokenOf(client), random))),
    ),
  ]);
  agent.destroy();
  return kinds;
}

/**
 * @param {string} token
 * @param {Random} random
 * @returns {Sent}
 */
function clientTurn(token, random) {
  const name = () => `entity ${random.below(2_000)}`;
  const call = (/** @type {string} */ tool, /** @type {object} */ args) => ({
    method: 'tools/call',
    params: { name: tool, arguments: args },
  });
  const memory = '/graphs/default/memory/mcp';
  const graph = '/graphs/default/mcp';
  const turns = [
    () => ({ path: memory, message: { method: 'tools/list' } }),
    () => ({ path: graph, message: { method: 'tools/list' } }),
    () => ({ path: memory, message: call('open_nodes', { names: [name(), name()] }) }),
    () => ({ path: memory, message: call('search_nodes', { query: name() }) }),
    () => ({
      path: memory,
      message: call('create_entities', {
        entities: [{ name: name(), entityType: 'thing', observations: ['is here'] }],
      }),
    }),
    () => ({
      path: memory,
      message: call('create_relations', { relations: [{ from: name(), to: name(), relationType: 'knows' }] }),
    }),
    () => ({ path: graph, message: call('branches_list', {}) }),
    () => ({ path: graph, message: call('snapshot', { branch: `draft-${random.below(1e6)}` }) }),
    () => ({
      path: '/graphs/named/mcp',
      message: call('snapshot', { branch: `draft-${random.below(1e6)}` }),
    }),
    () => ({ path: '/graphs/default/snapshot' }),
    () => ({ path: `/graphs/${random.below(1e9).toString(36)}/snapshot` }),
    () => ({ path: '/graphs' }),
  ];
  return { ...random.pick(turns)(), token };
}

/**
 * @param {URL} base
 * @param {Agent} agent
 * @param {Sent} sent
 * @returns {Promise<string>} The status, or why there is none.
 */
function send(base, agent, { path, token, message }) {
  return new Promise((resolve) => {
    const options = {
      agent,
      method: message === undefined ? 'GET' : 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json, text/event-stream',
        ...(message === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
    };
    const outgoing = request(new URL(path, base), options, (response) => {
      response.on('error', (error) => resolve(error.message));
      response.on('end', () => resolve(String(response.statusCode)));
      response.resume();
    });
    outgoing.on('error', (error) => resolve(error.message));
    outgoing.end(message === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
  });
}

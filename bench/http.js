// @ts-check
// Many clients over HTTP: reads, writes and both beside a tool that does nothing, the same with tokens and a policy, and
// writes a second by the number of clients beside the disk's own confirmations. On SQLite; --store postgres for PostgreSQL.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { confirmationsPerSecond } from './lib/confirmations.js';
import { callOverHttp } from './lib/http-rpc.js';
import { withPostgres } from './lib/postgres.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { withScratch } from './lib/scratch.js';
import { quantile } from './lib/statistics.js';
import { milliseconds, table, times } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

/**
 * @typedef {object} Server
 * @property {boolean} policy Whether it asks for tokens and decides by a policy.
 * @property {(client: number, tool: string, args: object) => Promise<unknown>} call
 * @property {() => Promise<number>} worked Milliseconds it has computed for.
 * @property {() => Promise<Stall>} stall
 * @property {() => Promise<number>} transactions How many with writes it has made.
 * @property {() => Promise<void>} end
 *
 * @typedef {{ longest: number, computing: number }} Stall The longest standstill and computation of its thread, in milliseconds.
 * @typedef {{ tool: string, args: (turn: number) => object }} Tool
 * @typedef {{ name: string, choose: (turn: number) => Tool }} Operation
 * @typedef {object} Lane
 * @property {number} clients
 * @property {Server} server
 * @property {Operation} operation
 * @property {number} seconds
 * @property {number} worked
 * @property {Stall[]} stalls
 * @property {number[]} times
 *
 * @typedef {{ clients: number, writes: number, transactions: number, confirmations: number }} Scaled All a second.
 */

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    clients: { type: 'string', default: '50,200' },
    /** For how many clients writes a second are shown. */
    writers: { type: 'string', default: '1,4,16,64' },
    /** Turns that each operation gets on each server, and how long one is. */
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '2' },
    entities: { type: 'string', default: '1000' },
    dir: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const crowds = values.clients.split(',').map(Number);
const writers = values.writers.split(',').map(Number);
const mostClients = Math.max(...crowds, ...writers);
/** So long may the thread of the server stand still. */
const mostStall = 50;
const entities = Number(values.entities);
const seconds = Number(values.seconds);
const random = randomFrom(Number(values.seed ?? freshSeed()));
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);
let turns = 0;

const tools = {
  nothing: { tool: 'nothing', args: () => ({}) },
  read: {
    tool: 'open_nodes',
    args: (/** @type {number} */ turn) => ({ names: [`entity ${turn % entities}`] }),
  },
  write: {
    tool: 'create_entities',
    args: (/** @type {number} */ turn) => ({ entities: [entityOf(`newcomer ${turn}`)] }),
  },
};

/** @type {readonly Operation[]} */
const operations = [
  { name: 'nothing', choose: () => tools.nothing },
  { name: 'read: open_nodes', choose: () => tools.read },
  { name: 'write: create_entities', choose: () => tools.write },
  { name: 'three reads for each write', choose: (turn) => (turn % 4 === 0 ? tools.write : tools.read) },
];

const { lanes, scaled } = await withScratch(async (folder) => {
  if (values.store !== 'postgres') return measure(folder, async (name) => join(folder, `${name}.db`));
  return withPostgres((makeDatabase) => measure(folder, makeDatabase));
}, values.dir);

const figures = lanes.map(({ clients, server, operation, seconds, worked, stalls, times: all }) => ({
  ...{ clients, operation: operation.name, policy: server.policy },
  perSecond: all.length / seconds,
  p99: quantile(all, 0.99),
  /** What the server computes for one call; other programs on the machine change it little. */
  computing: worked / all.length,
  stall: Math.max(...stalls.map(({ longest }) => longest)),
  computation: Math.max(...stalls.map((stall) => stall.computing)),
}));
const of = (
  /** @type {number} */ clients,
  /** @type {string} */ operation,
  /** @type {boolean} */ policy = false,
) => {
  const found = figures.find(
    (figure) => figure.clients === clients && figure.operation === operation && figure.policy === policy,
  );
  if (found === undefined) throw new Error(`${operation} was not measured.`);
  return found;
};
const targets = crowds.flatMap((clients) => [
  ...operations.map(({ name }) => ({
    what: `${clients} clients, ${name}: time a call takes with policy, to without`,
    measured: of(clients, name).perSecond / of(clients, name, true).perSecond,
    atMost: 1.15,
  })),
  {
    what: `${clients} clients: longest standstill of the server`,
    measured: Math.max(...figures.filter((figure) => figure.clients === clients).map(({ stall }) => stall)),
    ...{ atMost: mostStall, format: milliseconds },
  },
]);
if (values.json) {
  console.log(
    JSON.stringify({ node: process.version, store: values.store, figures, scaled, targets }, null, 2),
  );
} else {
  for (const clients of crowds) console.log(`${crowdTable(clients)}\n`);
  console.log(`${writersTable()}\n\n${targetTable(targets)}`);
}
if (!targets.every(isMet)) process.exitCode = 1;

/** @param {number} clients */
function crowdTable(clients) {
  return table(
    [
      ...[`${clients} clients`, 'calls a second', 'p99', 'calls, to nothing', 'computing'],
      ...['longest standstill', 'longest computation'],
    ],
    figures
      .filter((figure) => figure.clients === clients)
      .map(({ operation, policy, perSecond, p99, computing, stall, computation }) => [
        `${operation}${policy ? ', with policy' : ''}`,
        perSecond.toFixed(0),
        milliseconds(p99),
        times(perSecond / of(clients, 'nothing').perSecond),
        milliseconds(computing),
        milliseconds(stall),
        milliseconds(computation),
      ]),
  );
}

function writersTable() {
  const [alone] = scaled;
  return table(
    ['clients', 'writes a second', 'to one client', 'writes a transaction', 'confirmations a second'],
    scaled.map(({ clients, writes, transactions, confirmations }) => [
      String(clients),
      writes.toFixed(0),
      times(writes / (alone?.writes ?? 1)),
      (writes / transactions).toFixed(1),
      confirmations.toFixed(0),
    ]),
  );
}

/**
 * @param {string} folder
 * @param {(name: string) => Promise<string>} makeStore
 */
async function measure(folder, makeStore) {
  const servers = [await start(folder, makeStore, false), await start(folder, makeStore, true)];
  try {
    for (const server of servers) await fill(server);
    /** @type {Lane[]} */
    const lanes = crowds.flatMap((clients) =>
      servers.flatMap((server) =>
        operations.map((operation) => ({
          ...{ clients, server, operation, seconds: 0, worked: 0, stalls: [], times: [] },
        })),
      ),
    );
    for (let round = 0; round <= Number(values.rounds); round++) {
      progress(round === 0 ? 'warming up' : `round ${round} of ${values.rounds}`);
      // In a new order each round, so that what the machine does meanwhile hits all alike.
      for (const lane of random.shuffle(lanes)) {
        const before = await lane.server.worked();
        await lane.server.stall();
        const measured = await crowd(lane.server, lane.clients, lane.operation.choose);
        const [stall, worked] = [await lane.server.stall(), (await lane.server.worked()) - before];
        if (round === 0) continue;
        lane.seconds += measured.seconds;
        lane.worked += worked;
        lane.stalls.push(stall);
        lane.times.push(...measured.times);
      }
    }
    return { lanes, scaled: await byWriters(folder, /** @type {Server} */ (servers[0])) };
  } finally {
    await Promise.all(servers.map((server) => server.end()));
  }
}

/**
 * Writes a second by the number of clients, in turns with the disk's own confirmations.
 * @param {string} folder
 * @param {Server} server
 * @returns {Promise<Scaled[]>}
 */
async function byWriters(folder, server) {
  const sums = writers.map((clients) => ({
    clients,
    writes: 0,
    transactions: 0,
    seconds: 0,
    confirmations: 0,
  }));
  for (let round = 1; round <= Number(values.rounds); round++) {
    progress(`writers, round ${round} of ${values.rounds}`);
    for (const sum of random.shuffle(sums)) {
      sum.confirmations += await confirmationsPerSecond(folder, seconds / 2);
      const before = await server.transactions();
      const measured = await crowd(server, sum.clients, () => tools.write);
      sum.transactions += (await server.transactions()) - before;
      sum.writes += measured.times.length;
      sum.seconds += measured.seconds;
    }
  }
  return sums.map(({ clients, writes, transactions, seconds, confirmations }) => ({
    ...{ clients, writes: writes / seconds, transactions: transactions / seconds },
    confirmations: confirmations / Number(values.rounds),
  }));
}

/**
 * A server in a process of its own; with policy, each client has a token, and ten rules decide.
 * @param {string} folder
 * @param {(name: string) => Promise<string>} makeStore
 * @param {boolean} policy
 * @returns {Promise<Server>}
 */
async function start(folder, makeStore, policy) {
  const tokenOf = (/** @type {number} */ client) => `a-token-that-is-long-enough-for-client-${client}`;
  const args = [await makeStore(policy ? 'guarded' : 'open')];
  if (policy) {
    args.push(join(folder, 'tokens.json'), join(folder, 'policy.yaml'));
    const tokens = Array.from({ length: mostClients }, (_, client) => [
      ...[`client-${client}`, tokenOf(client)],
    ]);
    await writeFile(join(folder, 'tokens.json'), JSON.stringify(Object.fromEntries(tokens)), { mode: 0o600 });
    await writeFile(join(folder, 'policy.yaml'), policyText());
  }
  const script = join(dirname(fileURLToPath(import.meta.url)), 'lib', 'measured-server.js');
  const child = fork(script, args);
  const exited = once(child, 'exit');
  const [{ url }] = await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error('The server ended before it listened.'))),
  ]);
  const asked = async (/** @type {string} */ question) => {
    child.send(question);
    const [answer] = await once(child, 'message');
    return answer;
  };
  const agent = new Agent({ keepAlive: true, maxSockets: mostClients });
  return {
    policy,
    call: (client, tool, args) =>
      callOverHttp({ url: new URL(url), agent, ...(policy ? { token: tokenOf(client) } : {}) }, tool, args),
    worked: async () => (await asked('worked')).milliseconds,
    stall: () => asked('stall'),
    transactions: async () => (await asked('transactions')).made,
    async end() {
      agent.destroy();
      child.send('end');
      await exited;
    },
  };
}

/** The rule that lets the clients in stands last. */
function policyText() {
  const others = Array.from(
    { length: 9 },
    (_, index) => `  - { id: other-${index}, allow: { actors: { group: other-${index} }, actions: [read] } }`,
  );
  const all = '  - { id: clients, allow: { actors: any, actions: [read, change], graphs: [default] } }';
  return ['version: 1', 'rules:', ...others, all, ''].join('\n');
}

/** @param {Server} server */
async function fill(server) {
  const all = Array.from({ length: entities }, (_, index) => entityOf(`entity ${index}`));
  await server.call(0, 'create_entities', { entities: all });
}

/** @param {string} name */
function entityOf(name) {
  return { name, entityType: 'thing', observations: [`${name} is here`, `${name} stays`] };
}

/**
 * Every client calls, again as soon as it has its answer, until the time is over.
 * @param {Server} server
 * @param {number} clients
 * @param {Operation['choose']} choose
 */
async function crowd(server, clients, choose) {
  /** @type {number[]} */
  const all = [];
  const start = performance.now();
  const over = start + seconds * 1_000;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < over) {
        const turn = ++turns;
        const { tool, args } = choose(turn);
        const before = performance.now();
        await server.call(client, tool, args(turn));
        all.push(performance.now() - before);
      }
    }),
  );
  return { seconds: (performance.now() - start) / 1_000, times: all };
}

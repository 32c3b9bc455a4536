// @ts-check
// Many clients over HTTP: a read and a write beside a tool that does nothing, and the same with tokens and a policy.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { callOverHttp } from './lib/http-rpc.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { withScratch } from './lib/scratch.js';
import { quantile } from './lib/statistics.js';
import { milliseconds, table, times } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

/**
 * @typedef {object} Server
 * @property {boolean} policy Whether it asks for tokens and decides by a policy.
 * @property {(client: number, tool: string, args: object) => Promise<unknown>} call
 * @property {() => Promise<{ resident: number, heap: number }>} weigh Bytes after a collection.
 * @property {() => Promise<number>} worked Milliseconds it has computed for.
 * @property {() => Promise<void>} end
 *
 * @typedef {{ name: string, tool: string, args: (turn: number) => object }} Operation
 * @typedef {{ server: Server, operation: Operation, seconds: number, worked: number, times: number[] }} Lane
 */

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '50' },
    /** Turns that each operation gets on each server, and how long one is. */
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '2' },
    entities: { type: 'string', default: '1000' },
    /** Also keeps the clients calling for this long after a first minute, and looks at memory and errors. */
    minutes: { type: 'string' },
    dir: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const clients = Number(values.clients);
const entities = Number(values.entities);
const random = randomFrom(Number(values.seed ?? freshSeed()));
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);
let turns = 0;

/** @type {readonly Operation[]} */
const operations = [
  { name: 'nothing', tool: 'nothing', args: () => ({}) },
  {
    name: 'read: open_nodes',
    tool: 'open_nodes',
    args: (turn) => ({ names: [`entity ${turn % entities}`] }),
  },
  {
    name: 'write: create_entities',
    tool: 'create_entities',
    args: (turn) => ({ entities: [entityOf(`newcomer ${turn}`)] }),
  },
];

const { lanes, soaked } = await withScratch(async (folder) => {
  const servers = [await start(folder, false), await start(folder, true)];
  try {
    for (const server of servers) await fill(server);
    /** @type {Lane[]} */
    const lanes = servers.flatMap((server) =>
      operations.map((operation) => ({ server, operation, seconds: 0, worked: 0, times: [] })),
    );
    for (let round = 0; round <= Number(values.rounds); round++) {
      progress(round === 0 ? 'warming up' : `round ${round} of ${values.rounds}`);
      // In a new order each round, so that what the machine does meanwhile hits all alike.
      for (const lane of random.shuffle(lanes)) {
        const before = await lane.server.worked();
        const measured = await crowd(lane.server, () => lane.operation, Number(values.seconds));
        if (round === 0) continue;
        lane.seconds += measured.seconds;
        lane.worked += (await lane.server.worked()) - before;
        lane.times.push(...measured.times);
      }
    }
    const soaked = values.minutes === undefined ? undefined : await soak(servers[1], Number(values.minutes));
    return { lanes, soaked };
  } finally {
    await Promise.all(servers.map((server) => server.end()));
  }
}, values.dir);

const figures = lanes.map(({ server, operation, seconds, worked, times: all }) => ({
  operation: operation.name,
  policy: server.policy,
  perSecond: all.length / seconds,
  p99: quantile(all, 0.99),
  /** What the server computes for one call; other programs on the machine change it little. */
  computing: worked / all.length,
}));
const of = (/** @type {string} */ operation, /** @type {boolean} */ policy) => {
  const found = figures.find((figure) => figure.operation === operation && figure.policy === policy);
  if (found === undefined) throw new Error(`${operation} was not measured.`);
  return found;
};
const targets = [
  ...operations.map(({ name }) => ({
    what: `${name}: time a call takes with policy, to without`,
    measured: of(name, false).perSecond / of(name, true).perSecond,
    atMost: 1.15,
  })),
  ...(soaked === undefined
    ? []
    : [
        { what: 'memory at the end, to after the first minute', measured: soaked.growth, atMost: 1.1 },
        { what: 'errors', measured: soaked.errors, atMost: 0, format: String },
      ]),
];
if (values.json) {
  console.log(JSON.stringify({ node: process.version, clients, figures, soaked, targets }, null, 2));
} else {
  console.log(
    table(
      [`${clients} clients`, 'calls a second', 'p99', 'calls, to nothing', 'p99, to nothing', 'computing'],
      figures.map(({ operation, policy, perSecond, p99, computing }) => [
        `${operation}${policy ? ', with policy' : ''}`,
        perSecond.toFixed(0),
        milliseconds(p99),
        times(perSecond / of('nothing', false).perSecond),
        times(p99 / of('nothing', false).p99),
        milliseconds(computing),
      ]),
    ),
  );
  if (soaked !== undefined) {
    const [first, last] = [soaked.first, soaked.last].map(megabytes);
    console.log(`\n${soaked.calls} calls in the long run: ${first} after the first minute, then ${last}`);
  }
  console.log(`\n${targetTable(targets)}`);
}
if (!targets.every(isMet)) process.exitCode = 1;

/**
 * A server in a process of its own; with policy, each client has a token, and ten rules decide.
 * @param {string} folder
 * @param {boolean} policy
 * @returns {Promise<Server>}
 */
async function start(folder, policy) {
  const tokenOf = (/** @type {number} */ client) => `a-token-that-is-long-enough-for-client-${client}`;
  const args = [join(folder, policy ? 'guarded.db' : 'open.db')];
  if (policy) {
    args.push(join(folder, 'tokens.json'), join(folder, 'policy.yaml'));
    const tokens = Array.from({ length: clients }, (_, client) => [`client-${client}`, tokenOf(client)]);
    await writeFile(join(folder, 'tokens.json'), JSON.stringify(Object.fromEntries(tokens)), { mode: 0o600 });
    await writeFile(join(folder, 'policy.yaml'), policyText());
  }
  const script = join(dirname(fileURLToPath(import.meta.url)), 'lib', 'measured-server.js');
  const child = fork(script, args, { execArgv: ['--expose-gc'] });
  const exited = once(child, 'exit');
  const [{ url }] = await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error('The server ended before it listened.'))),
  ]);
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  return {
    policy,
    call: (client, tool, args) =>
      callOverHttp({ url: new URL(url), agent, ...(policy ? { token: tokenOf(client) } : {}) }, tool, args),
    async weigh() {
      child.send('weigh');
      const [weight] = await once(child, 'message');
      return weight;
    },
    async worked() {
      child.send('worked');
      const [{ milliseconds: time }] = await once(child, 'message');
      return time;
    },
    async end() {
      agent.destroy();
      child.send('end');
      await exited;
    },
  };
}

/** @param {{ resident: number, heap: number }} weight */
function megabytes({ resident, heap }) {
  return `${(resident / 1e6).toFixed(0)} MB, ${(heap / 1e6).toFixed(0)} MB of it heap`;
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
 * @param {(turn: number) => Operation} choose
 * @param {number} seconds
 */
async function crowd(server, choose, seconds) {
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

/**
 * Keeps the clients busy for a minute, then for some more, and compares what the server weighs after each.
 * @param {Server | undefined} server
 * @param {number} minutes
 */
async function soak(server, minutes) {
  if (server === undefined) throw new Error('There is no server to soak.');
  let errors = 0;
  let calls = 0;
  /** Three reads for each write. */
  const mixed = (/** @type {number} */ turn) => /** @type {Operation} */ (operations[turn % 4 === 0 ? 2 : 1]);
  const patient = {
    ...server,
    call: (/** @type {number} */ client, /** @type {string} */ tool, /** @type {object} */ args) =>
      server.call(client, tool, args).catch((error) => {
        errors += 1;
        progress(String(error));
      }),
  };
  const busy = async (/** @type {number} */ seconds) => {
    calls += (await crowd(patient, mixed, seconds)).times.length;
    return server.weigh();
  };
  progress('the first minute');
  const first = await busy(60);
  progress(`${minutes} more`);
  const last = await busy(minutes * 60);
  return { calls, errors, first, last, growth: last.resident / first.resident };
}

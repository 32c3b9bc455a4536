// @ts-check
// One caller asks for as much as a server gives, and another makes small calls meanwhile: how long the server's thread
// stands still, and how long the small calls take. On SQLite; --store postgres, FILE.jsonl or a postgres:// URL for others.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fillForFairness, nodeName, stricterSchema } from './lib/fairness-store.js';
import { callOverHttp } from './lib/http-rpc.js';
import { withPostgres } from './lib/postgres.js';
import { withScratch } from './lib/scratch.js';
import { quantile } from './lib/statistics.js';
import { milliseconds, table, times } from './lib/table.js';

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} path
 * @property {string} tool
 * @property {object} args
 * @property {number} [times] Calls at the same time.
 * @property {(answer: any) => void} [use] What a later case needs of it.
 *
 * @typedef {import('./lib/fairness-prober.js').Probed} Probed
 */

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '50000' },
    /** Where the graphs are made; `sqlite` and `postgres` are removed afterwards. */
    store: { type: 'string', default: 'sqlite' },
    /** The store is filled already. */
    filled: { type: 'boolean', default: false },
    /** Only cases whose names contain this. */
    only: { type: 'string' },
    dir: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const nodes = Number(values.nodes);
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);
/** So long may the thread stand still, and so much longer than alone may small calls take, all but one in a hundred. */
const mostStall = 50;
const mostSmall = 5;
/** How long small calls are measured alone. */
const aloneMs = 10_000;
/** What the small calls show before and after a case belongs to it too. */
const restMs = 300;

const tokens = {
  busy: 'a-token-that-is-long-enough-for-busy',
  small: 'a-token-that-is-long-enough-for-small',
};
const isFile = /\.jsonl?$/.test(values.store);
const notes = isFile ? 'default' : 'notes';
const small = isFile ? 'default' : 'small';
const names = Array.from({ length: Math.min(10_000, nodes) }, (_, index) => nodeName(index));
const update = 'query raise() { update Item set { amount: 9 } where amount >= 0 }';
let mergeCommit = '';

/** @type {readonly Case[]} */
const cases = [
  { name: 'nothing', path: '/healthz', tool: '', args: {} },
  ...[1, 32].map((times) => ({
    ...{ name: `${times} × read_graph, limit 10,000`, times, tool: 'read_graph', args: { limit: 10_000 } },
    path: `/graphs/${notes}/memory/mcp`,
  })),
  {
    ...{ name: '4 × read_graph, all of it', times: 4, tool: 'read_graph', args: {} },
    path: `/graphs/${notes}/memory/mcp`,
  },
  {
    ...{ name: '4 × open_nodes, 10,000 names', times: 4, tool: 'open_nodes', args: { names } },
    path: `/graphs/${notes}/memory/mcp`,
  },
  {
    ...{ name: '4 × mesh search_nodes with neighbours', times: 4, tool: 'search_nodes' },
    ...{ path: `/graphs/${notes}/mesh/mcp`, args: { query: 'what was meant' } },
  },
  ...(isFile
    ? []
    : [
        {
          ...{
            name: '4 × workspace open_nodes, 10,000 names',
            times: 4,
            tool: 'open_nodes',
            args: { names },
          },
          path: `/graphs/${notes}/workspace/mcp`,
        },
        {
          ...{ name: '4 × get_consolidation_report', times: 4, tool: 'get_consolidation_report', args: {} },
          path: `/graphs/${notes}/workspace/mcp`,
        },
        {
          ...{ name: 'merge of all nodes, dry run', tool: 'branches_merge', path: '/graphs/items/mcp' },
          args: { source: 'draft', dry_run: true },
        },
        {
          ...{ name: 'merge of all nodes', tool: 'branches_merge', path: '/graphs/items/mcp' },
          args: { source: 'draft' },
          use: (/** @type {any} */ answer) => {
            mergeCommit = answer?.structuredContent?.commit_id ?? '';
          },
        },
        {
          ...{ name: 'commits_get of that merge', tool: 'commits_get', path: '/graphs/items/mcp' },
          get args() {
            return { commit_id: mergeCommit };
          },
        },
        {
          ...{ name: 'update of all rows', tool: 'mutate', path: '/graphs/items/mcp' },
          args: { query: update },
        },
        {
          ...{ name: 'schema_apply with constraints', tool: 'schema_apply', path: '/graphs/items/mcp' },
          args: { schema: stricterSchema },
        },
      ]),
];

const probes = [
  { name: '/healthz', path: '/healthz' },
  ...[small, notes].map((graph) => ({
    ...{ name: `open_nodes on ${graph}`, path: `/graphs/${graph}/memory/mcp`, tool: 'open_nodes' },
    args: { names: [nodeName(graph === small && !isFile ? nodes + 3 : 3)] },
  })),
  {
    ...{ name: `search_nodes on ${small}`, path: `/graphs/${small}/memory/mcp`, tool: 'search_nodes' },
    args: { query: nodeName(nodes + 3), limit: 5 },
  },
  ...(isFile
    ? []
    : [{ name: `get_stats on ${small}`, path: `/graphs/${small}/workspace/mcp`, tool: 'get_stats' }]),
  {
    ...{ name: `create_entities on ${small}`, path: `/graphs/${small}/memory/mcp`, tool: 'create_entities' },
    args: { entities: [{ name: 'new $turn', entityType: 'note', observations: ['a small one'] }] },
    writes: true,
  },
];

const figures = await withScratch(
  (folder) =>
    values.store === 'postgres'
      ? withPostgres(async (makeDatabase) => measureAll(folder, await makeDatabase()))
      : measureAll(folder, values.store === 'sqlite' ? join(folder, 'fairness.db') : values.store),
  values.dir,
);

/**
 * @param {string} folder
 * @param {string} location
 */
async function measureAll(folder, location) {
  if (!values.filled) await fillForFairness(location, nodes, progress);
  const server = await start(folder, location);
  try {
    const figures = [];
    for (const each of cases.filter(({ name, tool }) => tool === '' || name.includes(values.only ?? ''))) {
      figures.push(await measure(server, each));
    }
    return figures;
  } finally {
    await server.end();
  }
}

const [alone] = figures;
const slower = (/** @type {typeof figures[number]} */ { reads }) => reads.p99 / (alone?.reads.p99 ?? 1);
const isMet = (/** @type {typeof figures[number]} */ figure) =>
  figure.stall <= mostStall && slower(figure) <= mostSmall && figure.reads.failed === 0;
if (values.json) {
  console.log(JSON.stringify({ node: process.version, nodes, figures }, null, 2));
} else {
  console.log(
    table(
      [
        'one caller',
        'took',
        'answered',
        'longest stall',
        '/healthz',
        'small reads, p99',
        'to alone',
        'longest',
        'small writes, p99',
        'longest',
        'failed',
      ],
      figures.map((figure) => {
        const { name, took, answer, stall, health, reads, writes } = figure;
        return [
          ...[name, milliseconds(took), answer, milliseconds(stall), milliseconds(health.longest)],
          ...[milliseconds(reads.p99), times(slower(figure)), milliseconds(reads.longest)],
          ...[milliseconds(writes.p99), milliseconds(writes.longest)],
          String(reads.failed + writes.failed),
        ];
      }),
    ),
  );
  console.log(`\nAt most ${mostStall} ms of standstill and ${mostSmall}× for small reads are aimed for.`);
}
if (!figures.every(isMet)) process.exitCode = 1;

/**
 * @param {Awaited<ReturnType<typeof start>>} server
 * @param {Case} given
 */
async function measure(server, { name, path, tool, args, times: count = 1, use }) {
  progress(name);
  await server.begin();
  await wait(restMs);
  const begun = performance.now();
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      (tool === '' ? wait(aloneMs) : server.call(path, tool, args)).then(
        (answer) => {
          use?.(answer);
          return 'done';
        },
        (error) =>
          /** @type {string} */ (
            String(error.message).match(/LIMIT|most|longer|ended/) ? 'refused' : error.message
          ),
      ),
    ),
  );
  const took = performance.now() - begun;
  await wait(restMs);
  const { stall, probed } = await server.report();
  for (const { name: probe, times: took, failed, error } of probed) {
    progress(
      `  ${probe}: ${took.length} calls, longest ${milliseconds(Math.max(...took))}${failed > 0 ? `, ${failed} failed: ${error}` : ''}`,
    );
  }
  const isHealth = (/** @type {Probed} */ { name: probe }) => probe === '/healthz';
  progress(`  stall ${milliseconds(stall)}, took ${milliseconds(took)}: ${[...new Set(answers)].join(', ')}`);
  return {
    ...{ name, took, stall, answer: [...new Set(answers)].join(', ').slice(0, 60) },
    health: summary(probed.filter(isHealth)),
    reads: summary(probed.filter((probe) => !isHealth(probe) && probe.writes !== true)),
    writes: summary(probed.filter(({ writes }) => writes === true)),
  };
}

/** @param {readonly Probed[]} probed */
function summary(probed) {
  const all = probed.flatMap(({ times: took }) => took);
  const failed = probed.reduce((sum, probe) => sum + probe.failed, 0);
  return { p99: quantile(all, 0.99), longest: Math.max(...all), failed };
}

/**
 * @param {string} folder
 * @param {string} location
 */
async function start(folder, location) {
  const [tokenFile, policyFile] = [join(folder, 'tokens.json'), join(folder, 'policy.yaml')];
  await writeFile(tokenFile, JSON.stringify(tokens), { mode: 0o600 });
  const everything =
    'read, change, schema_apply, branch_create, branch_delete, branch_merge, invoke_query, export, graph_list';
  await writeFile(
    policyFile,
    `version: 1\nrules:\n  - { id: all, allow: { actors: any, actions: [${everything}] } }\n`,
  );
  const here = join(dirname(fileURLToPath(import.meta.url)), 'lib');
  const child = fork(join(here, 'fairness-server.js'), [location, tokenFile, policyFile]);
  const [{ url }] = await once(child, 'message');
  const prober = fork(join(here, 'fairness-prober.js'), [
    ...[url, tokens.small, String(child.pid), JSON.stringify(probes)],
  ]);
  await once(prober, 'message');
  const agent = new Agent({ keepAlive: true });
  await settled((path, tool) =>
    callOverHttp({ url: new URL(path, url), agent, token: tokens.small }, tool, {}),
  );
  return {
    call: (/** @type {string} */ path, /** @type {string} */ tool, /** @type {object} */ args) =>
      callOverHttp({ url: new URL(path, url), agent, token: tokens.busy }, tool, args),
    async begin() {
      await Promise.all([asked(child, 'begin'), asked(prober, 'begin')]);
    },
    async report() {
      const [{ longest: stall }, probed] = await Promise.all([
        asked(child, 'stalls'),
        asked(prober, 'report'),
      ]);
      return { stall, probed: /** @type {Probed[]} */ (probed) };
    },
    async end() {
      agent.destroy();
      prober.send('end');
      child.send('end');
      await Promise.all([once(child, 'exit'), once(prober, 'exit')]);
    },
  };
}

/**
 * Everything is opened, indexed and embedded before anybody is measured.
 * @param {(path: string, tool: string) => Promise<any>} call
 */
async function settled(call) {
  for (let turn = 0; turn < 180 && !isFile; turn++) {
    const { structuredContent } = await call(`/graphs/${notes}/workspace/mcp`, 'get_stats');
    if (structuredContent.embedding_coverage === 1) break;
    await wait(1_000);
  }
  await wait(3_000);
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} question
 */
async function asked(child, question) {
  const answered = once(child, 'message');
  child.send(question);
  const [answer] = await answered;
  return answer;
}

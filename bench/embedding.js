// @ts-check
// Small calls while the server embeds a large graph in the background, beside the same calls while it does not, in one
// run. On SQLite; --postgres for PostgreSQL.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { growNotes, nodeName, openForBench } from './lib/fairness-store.js';
import { callOverHttp } from './lib/http-rpc.js';
import { withPostgres } from './lib/postgres.js';
import { withScratch } from './lib/scratch.js';
import { settle } from './lib/settle.js';
import { runDelayMs } from './lib/stalls.js';
import { quantile } from './lib/statistics.js';
import { milliseconds, table } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '100000' },
    /** How long the server is measured without embedding, before and after. */
    seconds: { type: 'string', default: '10' },
    /** No small calls while it embeds: how long that takes. */
    idle: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    dir: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const nodes = Math.ceil(Number(values.texts) / 4);
const pauseMs = 2;
/** For a 95th percentile. */
const minSamples = 20;
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

/** @typedef {Record<string, number[]>} Samples */

const { quiet, embedding, took, stall } = await withScratch(
  (folder) =>
    values.postgres
      ? withPostgres(async (makeDatabase) => measure(await makeDatabase()))
      : measure(join(folder, 'embedding.db')),
  values.dir,
);
console.log(`${nodes * 4} texts embedded in ${took.toFixed(1)} s, longest stall ${milliseconds(stall)}\n`);
if (!values.idle) {
  const kinds = Object.keys(quiet);
  const fewest = Math.min(...kinds.map((kind) => embedding[kind]?.length ?? 0));
  if (fewest < minSamples)
    throw new Error(
      `Only ${fewest} calls of a kind were made before all texts were embedded. Pass more --texts than ${values.texts}.`,
    );
  console.log(
    table(
      ['small call', 'calls', 'p50', 'p95', 'calls while embedding', 'p50', 'p95'],
      kinds.map((kind) => [kind, ...figures(quiet[kind] ?? []), ...figures(embedding[kind] ?? [])]),
    ),
  );
  const targets = kinds.map((kind) => ({
    what: `${kind} while embedding, p95`,
    measured: quantile(embedding[kind] ?? [], 0.95) / quantile(quiet[kind] ?? [], 0.95),
    atMost: 1.2,
  }));
  console.log(`\n${targetTable(targets)}`);
  if (!targets.every(isMet)) process.exitCode = 1;
}

/** @param {readonly number[]} samples */
function figures(samples) {
  return [
    String(samples.length),
    milliseconds(quantile(samples, 0.5)),
    milliseconds(quantile(samples, 0.95)),
  ];
}

/** @param {string} location */
async function measure(location) {
  progress('filling');
  const store = await openForBench(location);
  for (const graph of ['notes', 'small']) await store.createGraph(graph);
  for (let at = 0; at < nodes; at += 2_500) await growNotes(store, 'notes', at, Math.min(2_500, nodes - at));
  await growNotes(store, 'small', nodes, 20);
  // Until texts are indexed.
  await wait(Math.max(3_000, nodes / 5));
  await store.close();
  await settle();
  const server = await start(location);
  try {
    /** @type {{ quiet: Samples, embedding: Samples }} */
    const { quiet, embedding } = { quiet: {}, embedding: {} };
    await callFor(server, {}, () => wait(2_000));
    progress('measuring without embedding');
    await callFor(server, quiet, () => wait(seconds * 1_000));
    progress('measuring while it embeds');
    const begun = performance.now();
    await server.call('/graphs/notes/workspace/mcp', 'open_nodes', { names: [nodeName(0)] });
    if (values.idle) await server.embedded();
    else await callFor(server, embedding, () => server.embedded());
    const took = (performance.now() - begun) / 1_000;
    progress('measuring without embedding');
    await wait(1_000);
    await callFor(server, quiet, () => wait(seconds * 1_000));
    return { quiet, embedding, took, stall: server.stall };
  } finally {
    await server.end();
  }
}

/**
 * Makes small calls one after the other until `end` resolves.
 * @param {Awaited<ReturnType<typeof start>>} server
 * @param {Samples} samples
 * @param {() => Promise<unknown>} end
 */
async function callFor(server, samples, end) {
  let ended = false;
  const ending = end().then(() => {
    ended = true;
  });
  for (let turn = 0; !ended; turn++) {
    const name = `new ${turn} at ${performance.now()}`;
    const [kind, path, tool, args] =
      turn % 4 === 3
        ? [
            'write',
            'memory',
            'create_entities',
            { entities: [{ name, entityType: 'note', observations: ['a small one'] }] },
          ]
        : turn % 4 === 2
          ? ['search', 'memory', 'search_nodes', { query: nodeName(nodes + (turn % 20)), limit: 5 }]
          : ['read', 'memory', 'open_nodes', { names: [nodeName(nodes + (turn % 20))] }];
    const [start, delayed] = [performance.now(), server.delayedMs()];
    await server.call(`/graphs/small/${path}/mcp`, tool, args);
    const took = performance.now() - start - (server.delayedMs() - delayed);
    samples[kind] = [...(samples[kind] ?? []), took];
    await wait(pauseMs);
  }
  await ending;
}

/** @param {string} location */
async function start(location) {
  const child = fork(join(dirname(fileURLToPath(import.meta.url)), 'lib/embedding-server.js'), [location]);
  const [{ url }] = await once(child, 'message');
  const agent = new Agent({ keepAlive: true });
  const state = async () => {
    const answered = once(child, 'message');
    child.send('state');
    const [answer] = await answered;
    return /** @type {{ embedded: boolean, stall: number }} */ (answer);
  };
  let stall = 0;
  return {
    get stall() {
      return stall;
    },
    /** How long server and client waited for a processor: other programs are not what is measured. */
    delayedMs: () => runDelayMs() + runDelayMs(child.pid),
    call: (/** @type {string} */ path, /** @type {string} */ tool, /** @type {object} */ args) =>
      callOverHttp({ url: new URL(path, url), agent }, tool, args),
    /** Resolves when all is embedded. */
    async embedded() {
      await state();
      for (let ended = false; !ended; ) {
        await wait(200);
        const now = await state();
        stall = Math.max(stall, now.stall);
        ended = now.embedded;
      }
    },
    async end() {
      agent.destroy();
      child.send('end');
      await once(child, 'exit');
    },
  };
}

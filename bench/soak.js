// @ts-check
// Agents on all surfaces at once for half an hour: does anything grow that should not? Memory, logs, temporary files and
// what a commit adds to the database, each minute; --store postgres for PostgreSQL. It ends by itself.
import { execFile } from 'node:child_process';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { agents, schema, surfaces } from './lib/agents.js';
import { HttpServer } from './lib/http-server.js';
import { withPostgres } from './lib/postgres.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { childrenOf, residentBytes } from './lib/resident.js';
import { withScratch } from './lib/scratch.js';
import { trellisCommand } from './lib/servers.js';
import { mean, median } from './lib/statistics.js';
import { table } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

/**
 * Bytes, but for the minute and the counts since the last sample.
 * @typedef {object} Sample
 * @property {number} minute
 * @property {number} calls
 * @property {number} commits
 * @property {number} server Resident memory of the server.
 * @property {number} helpers Resident memory of the processes that it has started.
 * @property {number} data
 * @property {number} log
 * @property {number} temporary
 */

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    minutes: { type: 'string', default: '30' },
    /** What is measured before is left out of the judgement. */
    warmup: { type: 'string', default: '5' },
    clients: { type: 'string', default: '50' },
    /** Milliseconds that a client thinks between two calls, on average. */
    pause: { type: 'string', default: '500' },
    /** Minutes between two runs of `trellis gc`, which keeps as many minutes of history; 0: never. */
    gc: { type: 'string', default: '5' },
    dir: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const minutes = Math.min(Number(values.minutes), 600);
const warmup = Number(values.warmup);
if (minutes < warmup + 4) throw new Error('Two minutes in each half after the warm-up are the least.');
const seed = Number(values.seed ?? freshSeed());
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);
const run = promisify(execFile);
let calls = 0;
let commits = 0;
/** @type {string[]} */
const errors = [];

const samples = await withScratch(async (folder) => {
  if (values.store !== 'postgres') return soak(folder, join(folder, 'soak.db'));
  return withPostgres(async (makeDatabase) => soak(folder, await makeDatabase()));
}, values.dir);

const judged = samples.filter(({ minute }) => minute > warmup);
const half = Math.floor(judged.length / 2);
const [first, second] = [judged.slice(0, half), judged.slice(half)];
const perCommit = (/** @type {readonly Sample[]} */ some) =>
  ((some.at(-1)?.data ?? 0) - (some[0]?.data ?? 0)) / sum(some.slice(1).map((sample) => sample.commits));
/** Medians, because what is let go again has not grown: a log while somebody reads, memory until it is collected. */
const growth = (/** @type {(sample: Sample) => number} */ what) =>
  median(second.map(what)) / Math.max(1, median(first.map(what)));
const targets = [
  { what: 'errors', measured: errors.length, atMost: 0, format: String },
  {
    what: 'memory of the server, second half to first',
    measured: growth(({ server }) => server),
    atMost: 1.1,
  },
  { what: 'memory of its processes', measured: growth(({ helpers }) => helpers), atMost: 1.1 },
  {
    what: 'bytes a commit adds to the database',
    measured: perCommit(second) / perCommit(first),
    atMost: 1.1,
  },
  { what: 'temporary files', measured: growth(({ temporary }) => temporary), atMost: 1.1 },
  ...(values.store === 'postgres'
    ? []
    : [{ what: 'write-ahead log', measured: growth(({ log }) => log), atMost: 1.1 }]),
];
const slope = trend(second.map(({ minute, server }) => [minute, server]));
if (values.json) {
  console.log(JSON.stringify({ node: process.version, seed, samples, slope, targets, errors }, null, 2));
} else {
  console.log(
    table(
      ['minute', 'calls', 'commits', 'server', 'its processes', 'database', 'log', 'temporary'],
      samples.map(({ minute, calls, commits, ...sizes }) => [
        ...[minute, calls, commits].map((count) => count.toFixed(0)),
        ...[sizes.server, sizes.helpers, sizes.data, sizes.log, sizes.temporary].map(megabytes),
      ]),
    ),
  );
  console.log(`\nIn the second half, the memory of the server changed by ${megabytes(slope)} a minute,`);
  console.log(
    `and a commit added ${perCommit(second).toFixed(0)} bytes (first half: ${perCommit(first).toFixed(0)}).`,
  );
  console.log(`\n${targetTable(targets)}`);
  for (const error of errors.slice(0, 10)) console.log(error);
}
if (!targets.every(isMet)) process.exitCode = 1;

/**
 * @param {string} folder
 * @param {string} store
 */
async function soak(folder, store) {
  const temporary = join(folder, 'temporary');
  const config = join(folder, 'trellis.yaml');
  await mkdir(temporary);
  const graphs = surfaces.map((surface) => `  ${surface}: {}\n`).join('');
  await writeFile(
    config,
    `server: { limits: { requests_per_minute: 10000000, concurrency: 1000 } }\ngraphs:\n${graphs}`,
  );
  const command = (/** @type {string[]} */ ...args) =>
    run(process.execPath, trellisCommand(...args, '--store', store, '--config', config).args);
  const server = await HttpServer.start(store, { config, env: { ...process.env, TMPDIR: temporary } });
  let over = false;
  const end = performance.now() + minutes * 60_000;
  /** @type {Sample[]} */
  const samples = [];
  try {
    await server.callAt('/graphs/graph/mcp', 'schema_apply', { schema });
    await command('gate', 'schema', 'add', 'Thing', '--required', 'name', '--graph', 'gate');
    await server.callAt('/graphs/gate/gate/mcp', 'refresh_schema_cache', {});
    const clients = Array.from({ length: Number(values.clients) }, (_, client) =>
      keepCalling(server, client, () => over || performance.now() >= end),
    );
    for (let minute = 1; minute <= minutes && performance.now() < end; minute++) {
      await wait(Math.max(0, end - (minutes - minute) * 60_000 - performance.now()));
      const sample = { minute, ...(await measure(server, folder, store)) };
      samples.push(sample);
      progress(
        `${minute} min: ${sample.calls} calls, ${sample.commits} commits, ${megabytes(sample.server)} server, ` +
          `${megabytes(sample.helpers)} its processes, ${megabytes(sample.data)} data, ${megabytes(sample.log)} log, ` +
          `${megabytes(sample.temporary)} temporary, ${errors.length} errors`,
      );
      if (Number(values.gc) > 0 && minute % Number(values.gc) === 0)
        await command('gc', '--keep', `${values.gc}m`).catch((error) => errors.push(String(error)));
    }
    over = true;
    await Promise.all(clients);
  } finally {
    over = true;
    await server.stop();
  }
  return samples;
}

/**
 * @param {HttpServer} server
 * @param {number} client
 * @param {() => boolean} isOver
 */
async function keepCalling(server, client, isOver) {
  const random = randomFrom(seed + client);
  const surface = surfaces[client % surfaces.length] ?? '';
  const next = agents[surface]?.(client, random);
  while (next !== undefined && !isOver()) {
    const { path, tool, args, writes } = next();
    try {
      const { structuredContent } = await server.callAt(path, tool, args);
      if (structuredContent?.['status'] === 'rejected') throw new Error(JSON.stringify(structuredContent));
      calls += 1;
      if (writes) commits += 1;
    } catch (error) {
      errors.push(`${surface} ${tool}: ${error}`);
      progress(errors.at(-1) ?? '');
      // Whoever was refused does not know what it has any more.
      return;
    }
    await wait(random.next() * 2 * Number(values.pause));
  }
}

/**
 * @param {HttpServer} server
 * @param {string} folder
 * @param {string} store
 */
async function measure(server, folder, store) {
  const made = { calls, commits };
  calls = 0;
  commits = 0;
  const children = await childrenOf(server.pid);
  const resident = await Promise.all(children.map((pid) => residentBytes(pid).catch(() => 0)));
  const files = store.startsWith('postgres')
    ? { data: await databaseBytes(store), log: 0 }
    : { data: await fileBytes(store), log: await fileBytes(`${store}-wal`) };
  return {
    ...made,
    server: await residentBytes(server.pid),
    helpers: sum(resident),
    ...files,
    temporary: await folderBytes(join(folder, 'temporary')),
  };
}

/** @param {string} path */
async function fileBytes(path) {
  return (await stat(path).catch(() => ({ size: 0 }))).size;
}

/** @param {string} folder */
async function folderBytes(folder) {
  const entries = await readdir(folder, { recursive: true });
  return sum(await Promise.all(entries.map((entry) => fileBytes(join(folder, entry)))));
}

/** @param {string} url */
async function databaseBytes(url) {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('select pg_database_size(current_database()) as bytes');
  await client.end();
  return Number(rows[0].bytes);
}

/**
 * The slope of the line that is nearest to the points.
 * @param {readonly (readonly number[])[]} points
 */
function trend(points) {
  const [x, y] = [0, 1].map((axis) => points.map((point) => point[axis] ?? 0));
  const [middle, level] = [mean(x ?? []), mean(y ?? [])];
  const across = sum(points.map(([at = 0, value = 0]) => (at - middle) * (value - level)));
  return across / Math.max(1, sum(points.map(([at = 0]) => (at - middle) ** 2)));
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

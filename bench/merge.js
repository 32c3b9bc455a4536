// @ts-check
// A large merge on SQLite beside the same by hand: the three states read with one query, the same rows written by a loop of
// prepared statements. With `--old folder`, the built code in another folder does it, too. All take turns, each on a copy of the
// same file. The goal is about time, as for queries; CPU time, with that of the processes that read for a merge, is what others on
// the machine do not distort. It needs Linux.
import { execFile } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { freshSeed, randomFrom } from './lib/random.js';
import { fillForScale } from './lib/scale-fill.js';
import { withScratch } from './lib/scratch.js';
import { median } from './lib/statistics.js';
import { milliseconds, table, times } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';
import { textsIndexed } from './lib/texts-indexed.js';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100000' },
    edges: { type: 'string', default: '300000' },
    changes: { type: 'string', default: '12500' },
    rounds: { type: 'string', default: '3' },
    /** The root of another version, built. */
    old: { type: 'string' },
    dir: { type: 'string' },
    seed: { type: 'string' },
  },
});
const changes = Number(values.changes);
const nodes = Number(values.nodes);
const source = `draft ${changes}`;
const warmup = 'warm-up';
const warmupChanges = 3_000;
const minNodes = changes + warmupChanges + 1;
// Otherwise both branches change the same nodes, and the merge is a conflict.
if (nodes < minNodes)
  throw new Error(`--nodes must be at least ${minNodes}: --changes, and ${warmupChanges} for the warm-up.`);
const here = fileURLToPath(new URL('..', import.meta.url));
const child = fileURLToPath(new URL('./lib/merge-child.js', import.meta.url));
const run = promisify(execFile);
const random = randomFrom(Number(values.seed ?? freshSeed()));

/** @type {Record<string, string | null>} The code of each lane. */
const lanes = { merge: here, 'by hand': null, ...(values.old === undefined ? {} : { before: values.old }) };
/** The oldest code makes the file: newer code may read it, but not the other way round. */
const oldest = values.old ?? here;
/** @type {Record<string, { ms: number, cpuMs: number }[]>} */
const samples = Object.fromEntries(Object.keys(lanes).map((name) => [name, []]));

await withScratch(async (folder) => {
  const base = join(folder, 'base.db');
  process.stderr.write('filling\n');
  await fillForScale(oldest, base, { nodes, edges: Number(values.edges), changes: [changes] });
  await changeForWarmup(base);
  for (let round = 0; round < Number(values.rounds); round++) {
    /** @type {Set<string>} */
    const results = new Set();
    for (const name of random.shuffle(Object.keys(lanes))) {
      process.stderr.write(`round ${round + 1}: ${name}\n`);
      const location = join(folder, 'copy.db');
      await copyFile(base, location);
      const { stdout } = await run(process.execPath, [
        child,
        JSON.stringify({ code: lanes[name], location, warmup, source }),
      ]);
      samples[name]?.push(JSON.parse(stdout));
      results.add(mergedRows(location));
      for (const suffix of ['', '-wal', '-shm']) await rm(`${location}${suffix}`, { force: true });
    }
    if (results.size !== 1) throw new Error('The lanes wrote different rows.');
  }
}, values.dir);

async function changeForWarmup(/** @type {string} */ location) {
  const load = (/** @type {string} */ file) => import(pathToFileURL(resolve(oldest, 'dist', file)).href);
  const { openStoreAtLocation } = await load('store/open-store-at-location.js');
  const { compileGraphSchema } = await load('schema/enforce/compile-graph-schema.js');
  /** @type {import('../dist/store/store-contract.js').Store} */
  const store = await openStoreAtLocation(location, { compileGraphSchema });
  await store.createBranch('default', warmup);
  await store.write(
    { graph: 'default', branch: warmup },
    { actor: 'bench', tool: 'bench' },
    async (writer) => {
      // None of the nodes that the other branch changes.
      const found = (await writer.nodes()).slice(-warmupChanges - 1, -1);
      await writer.putNodes(
        found.map((node) => ({ ...node, props: { ...node.props, note: 'other words' } })),
      );
    },
  );
  await textsIndexed(location);
  await store.close();
}

/** What is on `main` afterwards, and how many rows there are of everything. */
function mergedRows(/** @type {string} */ location) {
  const db = new DatabaseSync(location);
  const hash = /** @type {any} */ (
    db
      .prepare(`select count(*) as n, sum(length(props)) as length, sum(order_position) as positions from node_row
      where died is null and branch = (select id from branch where graph = 1 and name = 'main') and props like '%other words, ${changes}%'`)
      .get()
  );
  const counts = ['node_row', 'property_value', 'touched', 'commit_log'].map(
    (name) => /** @type {any} */ (db.prepare(`select count(*) as n from ${name}`).get()).n,
  );
  db.close();
  if (hash.n !== changes) throw new Error(`${hash.n} of ${changes} nodes were merged.`);
  return JSON.stringify([hash, counts]);
}

const medianOf = (/** @type {string} */ name, /** @type {'ms' | 'cpuMs'} */ figure) =>
  median((samples[name] ?? []).map((sample) => sample[figure]));
console.log(`sqlite, ${values.nodes} nodes, ${values.edges} edges, ${changes} changed nodes\n`);
console.log(
  table(
    ['lane', 'CPU time', 'time'],
    Object.keys(lanes).map((name) => [
      name,
      milliseconds(medianOf(name, 'cpuMs')),
      milliseconds(medianOf(name, 'ms')),
    ]),
  ),
);
const targets = [
  {
    what: 'a merge beside what is written by hand',
    measured: medianOf('merge', 'ms') / medianOf('by hand', 'ms'),
    atMost: 2,
    format: times,
  },
];
console.log(`\n${targetTable(targets)}`);
if (!targets.every(isMet)) process.exitCode = 1;

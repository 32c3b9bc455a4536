// @ts-check
// What branches cost: making and reading one, merging, and what a hundred of them cost main.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';
import { branchWithChanges, fill, inTurn, read, settled, timeOfMerge, write } from './lib/history.js';
import { withPostgres } from './lib/postgres.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { withScratch } from './lib/scratch.js';
import { median } from './lib/statistics.js';
import { milliseconds, table, times } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    /** Nodes of the graph that branches are made of. */
    nodes: { type: 'string', default: '100000' },
    /** Rows of the graphs that is merged into: a node, two observations and an edge are four. */
    rows: { type: 'string', default: '10000,1000000' },
    changes: { type: 'string', default: '10,1000,12500,100000' },
    branches: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '150' },
    dir: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const nodes = Number(values.nodes);
const rows = values.rows.split(',').map(Number);
const changes = values.changes.split(',').map(Number);
const timing = {
  rounds: Number(values.rounds),
  warmup: 30,
  random: randomFrom(Number(values.seed ?? freshSeed())),
};
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

const measured =
  values.store === 'postgres'
    ? await withPostgres((makeDatabase) => measure(makeDatabase))
    : await withScratch((folder) => {
        let files = 0;
        return measure(async () => join(folder, `${++files}.db`));
      }, values.dir);

const { calls, merges } = measured;
const [smallest = 0, largest = 0] = [Math.min(...rows), Math.max(...rows)];
const timeOf = (/** @type {number} */ size, /** @type {number} */ count) =>
  merges.find((merge) => merge.rows === size && merge.changes === count)?.time ?? Number.NaN;
const targets = [
  {
    what: 'making a branch, beside a commit of one node',
    measured: calls.fork / calls.createBeside,
    atMost: 2,
  },
  { what: 'reading a branch, beside main', measured: calls.openOnBranch / calls.openBeside, atMost: 1.5 },
  {
    what: `a write to main with ${values.branches} branches, beside none`,
    measured: calls.createAmong / calls.create,
    atMost: 1.1,
  },
  {
    what: `a read of main with ${values.branches} branches, beside none`,
    measured: calls.openAmong / calls.open,
    atMost: 1.1,
  },
  ...changes.map((count) => ({
    what: `merging ${count.toLocaleString('en')} nodes into ${largest.toLocaleString('en')} rows, beside ${smallest.toLocaleString('en')}`,
    measured: timeOf(largest, count) / timeOf(smallest, count),
    atMost: 2,
  })),
];

if (values.json) {
  console.log(JSON.stringify({ node: process.version, store: values.store, ...measured, targets }, null, 2));
} else {
  console.log(`${values.store}, ${nodes.toLocaleString('en')} nodes; medians of ${timing.rounds} calls\n`);
  console.log(`${callTable()}\n\n${mergeTable()}\n\n${targetTable(targets)}`);
}
if (!targets.every(isMet)) process.exitCode = 1;

/** @param {() => Promise<string>} newPlace */
async function measure(newPlace) {
  return { calls: await measureCalls(newPlace), merges: await measureMerges(newPlace) };
}

/**
 * Three stores alike, but that one has many branches and one is for making and using a branch: calls to the same store warm
 * each other's caches, so only those of one pair may share one.
 * @param {() => Promise<string>} newPlace
 */
async function measureCalls(newPlace) {
  const open = async () => {
    const store = await openStoreAtLocation(await newPlace());
    progress(`filling a graph with ${nodes} nodes`);
    await fill(store, nodes);
    return store;
  };
  const [plain, among, used] = [await open(), await open(), await open()];
  progress(`making ${values.branches} branches with a few commits each`);
  for (let branch = 0; branch < Number(values.branches); branch++) {
    await branchWithChanges(among, `branch ${branch}`, 5);
    await write(among, `extra ${branch}`, `branch ${branch}`);
  }
  await branchWithChanges(used, 'used', 100);
  for (const store of [plain, among, used]) await settled(store);
  progress('calls in turn');
  const some = (/** @type {number} */ round) =>
    Array.from({ length: 3 }, (_, index) => `node ${(round * 7919 + index * 104_729) % nodes}`);
  const calls = await inTurn(
    {
      create: (round) => write(plain, `made ${round}`),
      open: (round) => read(plain, some(round)),
      createAmong: (round) => write(among, `made ${round}`),
      openAmong: (round) => read(among, some(round)),
      createBeside: (round) => write(used, `made ${round}`),
      createOnBranch: (round) => write(used, `there ${round}`, 'used'),
      fork: (round) => used.createBranch('default', `fork ${round}`),
      openBeside: (round) => read(used, some(round)),
      openOnBranch: (round) => read(used, some(round), 'used'),
    },
    timing,
  );
  await Promise.all([plain, among, used].map((store) => store.close()));
  return calls;
}

/** @param {() => Promise<string>} newPlace */
async function measureMerges(newPlace) {
  const merges = [];
  for (const size of rows) {
    const store = await openStoreAtLocation(await newPlace());
    progress(`filling a graph with ${size} rows`);
    await fill(store, Math.ceil(size / 4));
    await branchWithChanges(store, 'warm', 10);
    await timeOfMerge(store, 'warm');
    for (const count of changes) {
      progress(`merging ${count} nodes into ${size} rows`);
      // The median of three, as one merge is at the mercy of whatever else the machine does; but large ones change the graph.
      const samples = [];
      for (let run = 0; run < (count > 10_000 ? 1 : 3); run++) {
        const branch = `${count} changes, ${run}`;
        await branchWithChanges(store, branch, count);
        await settled(store);
        samples.push(await timeOfMerge(store, branch));
      }
      merges.push({ rows: size, changes: count, time: median(samples) });
    }
    await store.close();
  }
  return merges;
}

function callTable() {
  const named = {
    'a commit of one node': calls.create,
    [`the same with ${values.branches} branches`]: calls.createAmong,
    'opening three nodes': calls.open,
    [`opening three nodes with ${values.branches} branches`]: calls.openAmong,
    'a commit to main beside a busy branch': calls.createBeside,
    'a commit to that branch': calls.createOnBranch,
    'making a branch': calls.fork,
    'opening three nodes on main': calls.openBeside,
    'opening them on that branch': calls.openOnBranch,
  };
  return table(
    ['what', 'median'],
    Object.entries(named).map(([what, time]) => [what, milliseconds(time)]),
  );
}

function mergeTable() {
  return table(
    ['merging', ...rows.map((size) => `into ${size.toLocaleString('en')} rows`), 'ratio'],
    changes.map((count) => [
      `${count.toLocaleString('en')} nodes`,
      ...rows.map((size) => milliseconds(timeOf(size, count))),
      times(timeOf(largest, count) / timeOf(smallest, count)),
    ]),
  );
}

// @ts-check
// Large merges, undos, collections and ingests: how long they take, how long others' small writes wait, and how much memory they need.
// With `--old folder`, the built code in another folder does the same on copies of the same file, in turns; with
// `--store postgres`, each on a database of its own.
import { execFile } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { withPostgres } from './lib/postgres.js';
import { fillForScale } from './lib/scale-fill.js';
import { withScratch } from './lib/scratch.js';
import { table } from './lib/table.js';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100000' },
    edges: { type: 'string', default: '300000' },
    changes: { type: 'string', default: '12500,100000' },
    /** A merge, its undo, and the collection of what both have left come in this order; `merge-new` merges new nodes. */
    work: { type: 'string', default: 'merge,undo,gc,merge-new,ingest' },
    store: { type: 'string', default: 'sqlite' },
    old: { type: 'string' },
    dir: { type: 'string' },
  },
});
const changes = values.changes.split(',').map(Number);
const works = values.work.split(',');
const here = fileURLToPath(new URL('..', import.meta.url));
const child = fileURLToPath(new URL('./lib/scale-child.js', import.meta.url));
const run = promisify(execFile);

/** @typedef {{ ms: number, cpuMs: number, waits: number[], stall: number, computing: number, peak: number }} Measured */

/** @type {string[][]} */
const rows = [];
/** @type {[string, string][]} */
const versions = [['now', here]];
if (values.old !== undefined) versions.unshift(['before', values.old]);
if (values.store === 'postgres') await withPostgres(onPostgres);
else await withScratch(onSqlite, values.dir);
console.log(
  table(
    [
      ...['work', 'time', 'CPU time', 'longest small write, another graph', 'the same branch'],
      ...['longest stall', 'longest computation', 'peak memory'],
    ],
    rows,
  ),
);

/** @param {string} folder */
async function onSqlite(folder) {
  const base = join(folder, 'base.db');
  await fill(values.old ?? here, base, changes);
  for (const count of changes) {
    for (const [name, code] of versions) {
      const location = join(folder, `${name}.db`);
      await copyFile(base, location);
      await measure(name, code, location, count);
      await rm(location);
    }
  }
}

/** @param {() => Promise<string>} makeDatabase */
async function onPostgres(makeDatabase) {
  for (const count of changes) {
    for (const [name, code] of versions) {
      const location = await makeDatabase();
      await fill(code, location, [count]);
      await measure(name, code, location, count);
    }
  }
}

/**
 * @param {string} code
 * @param {string} location
 * @param {readonly number[]} branches
 */
async function fill(code, location, branches) {
  process.stderr.write('filling\n');
  await fillForScale(code, location, {
    nodes: Number(values.nodes),
    edges: Number(values.edges),
    changes: branches,
    additions: works.includes('merge-new') ? branches : [],
  });
}

/**
 * @param {string} name
 * @param {string} code
 * @param {string} location
 * @param {number} count
 */
async function measure(name, code, location, count) {
  // What the merge did is undone, and then nobody needs the versions of both.
  for (const work of works) {
    process.stderr.write(`${name}: ${work} of ${count}\n`);
    const { stdout } = await run(process.execPath, [
      child,
      JSON.stringify({ code, location, work, changes: count }),
    ]);
    /** @type {Measured} */
    const { ms, cpuMs, waits, stall, computing, peak } = JSON.parse(stdout);
    rows.push([
      `${work}, ${count.toLocaleString('en')} changes, ${name}`,
      ...[ms, cpuMs, ...waits].map((time) => `${(time / 1000).toFixed(1)} s`),
      `${stall.toFixed(0)} ms`,
      `${computing.toFixed(0)} ms`,
      `${peak.toFixed(0)} MB`,
    ]);
  }
}

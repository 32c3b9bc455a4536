// @ts-check
// Large merges, undos, collections and ingests: how long they take, how long others' small writes wait, and how much memory they need.
// With `--old folder`, the built code in another folder does the same on copies of the same file, in turns.
import { execFile } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { fillForScale } from './lib/scale-fill.js';
import { withScratch } from './lib/scratch.js';
import { table } from './lib/table.js';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100000' },
    edges: { type: 'string', default: '300000' },
    changes: { type: 'string', default: '12500,100000' },
    old: { type: 'string' },
    dir: { type: 'string' },
  },
});
const changes = values.changes.split(',').map(Number);
const here = fileURLToPath(new URL('..', import.meta.url));
const child = fileURLToPath(new URL('./lib/scale-child.js', import.meta.url));
const run = promisify(execFile);

/** @typedef {{ ms: number, cpuMs: number, wait: number, stall: number, peak: number }} Measured */

/** @type {string[][]} */
const rows = [];
await withScratch(async (folder) => {
  const base = join(folder, 'base.db');
  process.stderr.write('filling\n');
  await fillForScale(values.old ?? here, base, {
    nodes: Number(values.nodes),
    edges: Number(values.edges),
    changes,
  });
  for (const count of changes) {
    for (const [name, code] of Object.entries({ before: values.old, now: here })) {
      if (code === undefined) continue;
      const location = join(folder, `${name}.db`);
      await copyFile(base, location);
      // What the merge did is undone, and then nobody needs the versions of both.
      for (const work of ['merge', 'undo', 'gc', 'ingest']) {
        process.stderr.write(`${name}: ${work} of ${count}\n`);
        const { stdout } = await run(process.execPath, [
          child,
          JSON.stringify({ code, location, work, changes: count }),
        ]);
        /** @type {Measured} */
        const { ms, cpuMs, wait, stall, peak } = JSON.parse(stdout);
        rows.push([
          `${work}, ${count.toLocaleString('en')} changes, ${name}`,
          ...[ms, cpuMs, wait].map((time) => `${(time / 1000).toFixed(1)} s`),
          `${stall.toFixed(0)} ms`,
          `${peak.toFixed(0)} MB`,
        ]);
      }
      await rm(location);
    }
  }
}, values.dir);
console.log(table(['work', 'time', 'CPU time', 'longest small write', 'longest stall', 'peak memory'], rows));

// @ts-check
// The memory tools over stdio: Trellis on both of its stores, the reference server, and a server that does nothing.
import { parseArgs } from 'node:util';
import {
  jsonlContestant,
  noopContestant,
  openedSqlite,
  referenceContestant,
  seedSqlite,
} from './lib/field.js';
import { judge, medianTable } from './lib/figures.js';
import { heat } from './lib/heat.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { withScratch } from './lib/scratch.js';
import { isMet, targetTable } from './lib/targets.js';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    /** Of each server, each time it is started. */
    calls: { type: 'string', default: '100' },
    warmup: { type: 'string', default: '30' },
    /** How often every server is started afresh: no two processes run alike, even of the same program. */
    starts: { type: 'string', default: '3' },
    /** Calls a server gets before the next has its turn, as an agent at work makes them. */
    'in-a-row': { type: 'string', default: '20' },
    /** Milliseconds between turns, so that what a server does after its answers does not run into another's turn. */
    rest: { type: 'string', default: '100' },
    /** Above this size the reference server takes seconds for each call. */
    'reference-max': { type: 'string', default: '10000' },
    /** Above this size the JSONL store is left out. */
    'jsonl-max': { type: 'string', default: '100000' },
    dir: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const sizes = values.sizes.split(',').map(Number);
const timing = {
  calls: Number(values.calls),
  warmup: Number(values.warmup),
  inARow: Number(values['in-a-row']),
  rest: Number(values.rest),
  starts: Number(values.starts),
  random: randomFrom(Number(values.seed ?? freshSeed())),
};
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

const figures = await withScratch(async (folder) => {
  const databases = new Map();
  for (const size of sizes) {
    progress(`filling SQLite with ${size} entities`);
    databases.set(size, await seedSqlite(folder, size));
  }
  progress('SQLite beside a server that does nothing');
  // The two whose difference is small run alone: the others rewrite whole files, which would reach these through the disk.
  const measured = await heat('close', timing, async () => [
    await noopContestant(Math.max(...sizes)),
    ...(await Promise.all(sizes.map((size) => openedSqlite(databases.get(size), size)))),
  ]);
  for (const size of sizes) {
    progress(`the field at ${size} entities`);
    const figures = await heat('field', timing, async () => {
      const field = [await openedSqlite(databases.get(size), size)];
      if (size <= Number(values['jsonl-max'])) field.push(await jsonlContestant(folder, size));
      if (size <= Number(values['reference-max'])) field.push(await referenceContestant(folder, size));
      return field;
    });
    measured.push(...figures);
  }
  return measured;
}, values.dir);

const targets = judge(figures);
if (values.json) {
  console.log(JSON.stringify({ node: process.version, figures, targets }, null, 2));
} else {
  console.log(`SQLite beside a server that does nothing\n\n${medianTable(figures, 'close')}\n`);
  console.log(`Both stores beside the reference server\n\n${medianTable(figures, 'field')}\n`);
  console.log(targetTable(targets));
}
if (!targets.every(isMet)) process.exitCode = 1;

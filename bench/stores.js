// @ts-check
// The memory tools on SQLite and PostgreSQL, and PostgreSQL beside its driver alone.
import { parseArgs } from 'node:util';
import { besideTheDriver } from './lib/bare.js';
import { postgresContestant, sqliteContestant } from './lib/field.js';
import { medianTable } from './lib/figures.js';
import { heat } from './lib/heat.js';
import { withPostgres } from './lib/postgres.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { withScratch } from './lib/scratch.js';
import { milliseconds, table } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000' },
    calls: { type: 'string', default: '200' },
    warmup: { type: 'string', default: '50' },
    dir: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const sizes = values.sizes.split(',').map(Number);
const timing = {
  calls: Number(values.calls),
  warmup: Number(values.warmup),
  inARow: 1,
  random: randomFrom(Number(values.seed ?? freshSeed())),
};
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

const { description, figures, driver } = await withPostgres(async (makeDatabase, description) => {
  progress('PostgreSQL beside the driver alone');
  const driver = await besideTheDriver(await makeDatabase(), timing);
  const figures = await withScratch(async (folder) => {
    /** @type {import('./lib/race.js').Contestant[]} */
    const contestants = [];
    for (const size of sizes) {
      progress(`filling both with ${size} entities`);
      contestants.push(await sqliteContestant(folder, size));
      contestants.push(await postgresContestant(await makeDatabase(), size));
    }
    progress('the memory tools on both');
    return heat('stores', timing, async () => contestants);
  }, values.dir);
  return { description, figures, driver };
});

const targets = [
  {
    what: 'PostgreSQL, create: time beside a bare begin, insert, commit',
    measured: driver.create / driver.bareCreate,
    atMost: 4,
  },
  {
    what: 'PostgreSQL, open: time beside a bare select',
    measured: driver.open / driver.bareOpen,
    atMost: 4,
  },
];

if (values.json) {
  console.log(JSON.stringify({ node: process.version, description, figures, driver, targets }, null, 2));
} else {
  console.log(`${description}\n\nThe memory tools over stdio\n\n${medianTable(figures, 'stores')}\n`);
  console.log(`In one process, through the engine and through the driver alone\n\n${driverTable()}\n`);
  console.log(targetTable(targets));
}
if (!targets.every(isMet)) process.exitCode = 1;

function driverTable() {
  return table(
    ['median', 'engine', 'driver'],
    [
      ['create', milliseconds(driver.create), milliseconds(driver.bareCreate)],
      ['open', milliseconds(driver.open), milliseconds(driver.bareOpen)],
    ],
  );
}

// @ts-check
// The memory tools on SQLite and PostgreSQL, PostgreSQL beside its driver alone, and several servers on one database.
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
import { makeGraphs, throughput } from './lib/throughput.js';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000' },
    calls: { type: 'string', default: '200' },
    warmup: { type: 'string', default: '50' },
    /** Seconds of full load for each kind of call and each number of servers. */
    seconds: { type: 'string', default: '5' },
    /** Of all servers together. */
    clients: { type: 'string', default: '64' },
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

const { description, figures, driver, loads } = await withPostgres(async (makeDatabase, description) => {
  progress('PostgreSQL beside the driver alone');
  const driver = await besideTheDriver(await makeDatabase(), timing);
  const largest = Math.max(...sizes);
  let filled = '';
  const figures = await withScratch(async (folder) => {
    /** @type {import('./lib/race.js').Contestant[]} */
    const contestants = [];
    for (const size of sizes) {
      progress(`filling both with ${size} entities`);
      contestants.push(await sqliteContestant(folder, size));
      const url = await makeDatabase();
      if (size === largest) filled = url;
      contestants.push(await postgresContestant(url, size));
    }
    progress('the memory tools on both');
    return heat('stores', timing, async () => contestants);
  }, values.dir);
  progress('filling four graphs');
  const size = Math.min(...sizes);
  const graphs = await makeGraphs(filled, 4, size);
  const loads = [];
  for (const used of [graphs.slice(0, 1), graphs]) {
    for (const servers of [1, 4]) {
      progress(`${servers} of several servers under load, ${used.length} graphs`);
      const [clients, seconds] = [Number(values.clients), Number(values.seconds)];
      loads.push(...(await throughput(filled, { size, servers, graphs: used, clients, seconds })));
    }
  }
  return { description, figures, driver, loads };
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
  console.log(
    JSON.stringify({ node: process.version, description, figures, driver, loads, targets }, null, 2),
  );
} else {
  console.log(`${description}\n\nThe memory tools over stdio\n\n${medianTable(figures, 'stores')}\n`);
  console.log(`In one process, through the engine and through the driver alone\n\n${driverTable()}\n`);
  console.log(`Calls a second of ${values.clients} clients\n\n${loadTable()}\n`);
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

function loadTable() {
  const operations = [...new Set(loads.map(({ operation }) => operation))];
  return table(
    ['calls a second', ...operations],
    [1, 4].flatMap((graphs) =>
      [1, 4].map((servers) => [
        `${counted(servers, 'server')}, ${counted(graphs, 'graph')}`,
        ...operations.map((operation) => {
          const load = loads.find(
            (one) => one.servers === servers && one.graphs === graphs && one.operation === operation,
          );
          return Math.round(load?.perSecond ?? 0).toLocaleString('en');
        }),
      ]),
    ),
  );
}

/**
 * @param {number} count
 * @param {string} what
 */
function counted(count, what) {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

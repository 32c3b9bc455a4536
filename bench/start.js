// @ts-check
// Start to first answer, and resident memory, with a large database.
import { parseArgs } from 'node:util';
import { seedSqlite } from './lib/field.js';
import { operations } from './lib/operations.js';
import { race } from './lib/race.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { residentBytes } from './lib/resident.js';
import { withScratch } from './lib/scratch.js';
import { empty, trellis } from './lib/servers.js';
import { median } from './lib/statistics.js';
import { StdioClient } from './lib/stdio-client.js';
import { milliseconds } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '25' },
    calls: { type: 'string', default: '100' },
    dir: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const size = Number(values.size);
const runs = Number(values.runs);
const warmup = 2;
const first = operations.find(({ kind }) => kind === 'open') ?? operations[0];
if (first === undefined) throw new Error('There is no operation to start with.');

const figures = await withScratch(async (folder) => {
  process.stderr.write(`filling SQLite with ${size} entities\n`);
  const command = trellis(await seedSqlite(folder, size));
  const starts = await alternate({ trellis: command, empty });
  return { size, ...starts, ...(await memoryOf(command)) };
}, values.dir);

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1_000_000).toFixed(0)} MB`;
const targets = [
  {
    what: 'start to first answer beside an empty server',
    measured: figures.trellis / figures.empty,
    atMost: 1.4,
  },
  {
    what: 'resident memory after the first answer',
    measured: figures.memoryAtFirst,
    atMost: 150e6,
    format: megabytes,
  },
  {
    what: 'resident memory after all calls',
    measured: figures.memoryAfterCalls,
    atMost: 150e6,
    format: megabytes,
  },
];

if (values.json) {
  console.log(JSON.stringify({ node: process.version, figures, targets }, null, 2));
} else {
  console.log(
    `Start to first answer, median of ${runs}: ${milliseconds(figures.trellis)} with ${size} entities,`,
  );
  console.log(`${milliseconds(figures.empty)} for an empty server on the same SDK.\n`);
  console.log(targetTable(targets));
}
if (!targets.every(isMet)) process.exitCode = 1;

/**
 * Medians of the start-up times, taken in turns.
 * @template {string} K
 * @param {Record<K, import('./lib/stdio-client.js').Command>} commands
 * @returns {Promise<Record<K, number>>}
 */
async function alternate(commands) {
  const lanes = /** @type {K[]} */ (Object.keys(commands)).map((name) => ({
    name,
    times: /** @type {number[]} */ ([]),
  }));
  const random = randomFrom(freshSeed());
  for (let run = 0; run < warmup + runs; run++) {
    for (const { name, times } of random.shuffle(lanes)) {
      const time = await startToFirstAnswer(commands[name], run);
      if (run >= warmup) times.push(time);
    }
  }
  return /** @type {Record<K, number>} */ (
    Object.fromEntries(lanes.map(({ name, times }) => [name, median(times)]))
  );
}

/**
 * @param {import('./lib/stdio-client.js').Command} command
 * @param {number} turn
 */
async function startToFirstAnswer(command, turn) {
  const start = performance.now();
  const client = await StdioClient.connect(command);
  await client.call(/** @type {string} */ (first?.tool), /** @type {object} */ (first?.args(turn, size)));
  const time = performance.now() - start;
  await client.stop();
  return time;
}

/** @param {import('./lib/stdio-client.js').Command} command */
async function memoryOf(command) {
  const client = await StdioClient.connect(command);
  const contestant = { server: /** @type {const} */ ('SQLite'), size, client };
  const timing = { calls: Number(values.calls), warmup: 0, inARow: 1, random: randomFrom(1) };
  await client.call(/** @type {string} */ (first?.tool), /** @type {object} */ (first?.args(0, size)));
  const memoryAtFirst = await residentBytes(client.pid);
  for (const operation of operations) await race([contestant], operation, timing);
  const memoryAfterCalls = await residentBytes(client.pid);
  await client.stop();
  return { memoryAtFirst, memoryAfterCalls };
}

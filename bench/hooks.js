// @ts-check
// How long the hooks of clients take with a large database, from the start of the process to its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seedSqlite } from './lib/field.js';
import { withScratch } from './lib/scratch.js';
import { trellisCommand } from './lib/servers.js';
import { median } from './lib/statistics.js';
import { milliseconds } from './lib/table.js';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '25' },
    dir: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const size = Number(values.size);
const runs = Number(values.runs);
const target = 300;

const figures = await withScratch(async (folder) => {
  process.stderr.write(`filling SQLite with ${size} entities\n`);
  const store = ['--store', await seedSqlite(folder, size)];
  const transcript = join(folder, 'transcript.jsonl');
  const line = JSON.stringify({
    type: 'user',
    message: { role: 'user', content: 'Let us add a cart. '.repeat(50) },
  });
  await writeFile(transcript, `${line}\n`.repeat(2_000));
  const input = (/** @type {number} */ run) =>
    JSON.stringify({ session_id: `s-${run}`, cwd: folder, transcript_path: transcript });
  /** @type {Record<string, readonly string[]>} */
  const commands = {
    'node alone': ['-e', '0'],
    'session-start': trellisCommand('hook', 'session-start', ...store).args,
    checkpoint: trellisCommand('hook', 'checkpoint', ...store).args,
  };
  /** @type {Record<string, number[]>} */
  const times = {};
  for (let run = 0; run < runs + 2; run += 1)
    for (const [name, args] of Object.entries(commands)) {
      const time = await timed(args, input(run));
      // The first runs fill caches of the machine.
      if (run >= 2) times[name] = [...(times[name] ?? []), time];
    }
  return Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, { median: median(all), fastest: Math.min(...all) }]),
  );
}, values.dir);

const alone = figures['node alone']?.median ?? 1;
if (values.json) console.log(JSON.stringify({ node: process.version, size, runs, target, figures }, null, 2));
else
  for (const [name, { median: middle, fastest }] of Object.entries(figures))
    console.log(
      `${name.padEnd(14)} median ${milliseconds(middle)}, ${(middle / alone).toFixed(1)} × node alone; fastest ${milliseconds(fastest)}`,
    );
if (Object.values(figures).some(({ median: middle }) => middle > target)) process.exitCode = 1;

/**
 * @param {readonly string[]} args
 * @param {string} input
 */
async function timed(args, input) {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The hook ended with ${code}.`);
  return performance.now() - begun;
}

// @ts-check
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { randomFrom } from '../../bench/lib/random.js';
import { withScratch } from '../../bench/lib/scratch.js';
import { trellis, trellisCommand } from '../../bench/lib/servers.js';
import { ServerGone, StdioClient } from '../../bench/lib/stdio-client.js';
import { Ledger } from './ledger.js';
import { Traffic } from './traffic.js';

/**
 * @typedef {'sqlite' | 'jsonl'} Kind
 * @typedef {import('../../bench/lib/random.js').Random} Random
 *
 * @typedef {object} Outcome
 * @property {number} rounds
 * @property {number} acknowledged Writes that were answered before a kill, all of them found again.
 * @property {number} killed Processes that were killed while they wrote or started.
 */

const runFile = promisify(execFile);
// A new file now and then, so that making one is interrupted too.
const roundsPerFile = 25;
const roundsPerDoctor = 10;
// Below what a start would wait for a lock that was left behind.
const answerLimit = 25_000;

/**
 * Kills a writing server again and again and checks what it left. Throws at the first thing lost, torn or unreadable.
 * @param {object} options
 * @param {Kind} options.kind
 * @param {number} options.rounds
 * @param {number} options.seed
 * @param {(outcome: Outcome) => void} [options.progress]
 * @returns {Promise<Outcome>}
 */
export async function crashRounds({ kind, rounds, seed, progress }) {
  const random = randomFrom(seed);
  const outcome = { rounds: 0, acknowledged: 0, killed: 0 };
  try {
    while (outcome.rounds < rounds) {
      await withScratch(async (folder) => {
        const path = join(folder, kind === 'sqlite' ? 'memory.db' : 'memory.jsonl');
        const ledger = new Ledger();
        for (let i = 0; i < roundsPerFile && outcome.rounds < rounds; i++) {
          await crashOnce({ path, ledger, random });
          outcome.rounds++;
          outcome.killed++;
          if (outcome.rounds % roundsPerDoctor === 0 || outcome.rounds === rounds)
            await doctorFindsNothing(path);
          progress?.(outcome);
        }
        await checkOnce(path, ledger);
        outcome.acknowledged += ledger.acknowledged;
      });
    }
  } catch (error) {
    throw new Error(
      `${kind}, round ${outcome.rounds + 1}, seed ${seed}: ${/** @type {Error} */ (error).message}`,
      {
        cause: error,
      },
    );
  }
  return outcome;
}

/**
 * Opens what the last round left, checks it, writes on, and is killed.
 * @param {{ path: string, ledger: Ledger, random: Random }} round
 */
async function crashOnce({ path, ledger, random }) {
  await everyLineIsWhole(path);
  const client = new StdioClient(trellis(path));
  const traffic = new Traffic({ client, ledger, random, owner: 'writer' });
  const lanes = random.pick([1, 1, 4, 12]);
  const whileStarting = random.next() < 0.1;
  const delay = whileStarting ? random.below(400) : random.below(250);
  if (whileStarting) setTimeout(() => client.kill(), delay);
  try {
    await recover(client, ledger);
    // However slow the machine is, there is something to lose.
    await traffic.write();
    if (!whileStarting) setTimeout(() => client.kill(), delay);
    await Promise.all(Array.from({ length: lanes }, () => writeOn(traffic)));
  } catch (error) {
    if (!(error instanceof ServerGone)) throw error;
    if ((await client.exited) !== 'SIGKILL') throw error;
  } finally {
    await client.kill();
  }
}

/** @param {Traffic} traffic */
async function writeOn(traffic) {
  for (;;) await traffic.write();
}

/**
 * @param {string} path
 * @param {Ledger} ledger
 */
async function checkOnce(path, ledger) {
  await everyLineIsWhole(path);
  const client = new StdioClient(trellis(path));
  try {
    await recover(client, ledger);
  } finally {
    await client.stop();
  }
}

/**
 * @param {StdioClient} client
 * @param {Ledger} ledger
 */
async function recover(client, ledger) {
  const deadline = new AbortController();
  const graph = await Promise.race([
    client.initialize().then(() => client.call('read_graph', {})),
    wait(answerLimit, undefined, { signal: deadline.signal }).then(() => {
      throw new Error(`No answer within ${answerLimit} ms of a start after a crash. ${client.stderr}`);
    }),
  ]);
  deadline.abort();
  ledger.recover(
    /** @type {import('./batch.js').State} */ (/** @type {unknown} */ (graph.structuredContent)),
  );
}

/**
 * A JSONL file is replaced whole, so a crash may not even leave a torn line to skip.
 * @param {string} path
 */
async function everyLineIsWhole(path) {
  if (!path.endsWith('.jsonl') || !existsSync(path)) return;
  const text = await readFile(path, 'utf8');
  if (text !== '' && !text.endsWith('\n')) throw new Error('The file does not end with a whole line.');
  for (const line of text.split('\n')) if (line !== '') JSON.parse(line);
}

/**
 * Fails with what the doctor said when it finds damage.
 * @param {string} path
 */
async function doctorFindsNothing(path) {
  if (!existsSync(path)) return;
  const { args } = trellisCommand('doctor', '--json', '--store', path);
  await runFile(process.execPath, args);
}

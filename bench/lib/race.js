// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {import('./operations.js').Operation} Operation
 * @typedef {import('./random.js').Random} Random
 *
 * @typedef {object} Contestant
 * @property {'SQLite' | 'PostgreSQL' | 'JSONL' | 'reference' | 'no-op'} server
 * @property {number} size Entities it holds; what the calls are drawn from.
 * @property {import('./stdio-client.js').StdioClient} client
 *
 * @typedef {object} Samples
 * @property {Contestant} contestant
 * @property {number[]} times Milliseconds of each call.
 */

let turns = 0;

/**
 * Times one operation on every contestant. They take turns of a few calls each, in a new order every time, so that what
 * the machine does meanwhile hits all alike; after each turn comes a rest, in which servers may do what they put off.
 * @param {readonly Contestant[]} contestants
 * @param {Operation} operation
 * @param {{ calls: number, warmup: number, inARow: number, rest?: number, random: Random }} options
 * @returns {Promise<Samples[]>}
 */
export async function race(contestants, operation, { calls, warmup, inARow, rest = 0, random }) {
  const samples = contestants.map((contestant) => ({ contestant, times: /** @type {number[]} */ ([]) }));
  for (let round = 0; round < warmup + calls; round += inARow) {
    for (const { contestant, times } of random.shuffle(samples)) {
      for (let call = round; call < Math.min(round + inARow, warmup + calls); call++) {
        const time = await timeCall(contestant, operation, turns + call);
        if (call >= warmup) times.push(time);
      }
      if (rest > 0) await sleep(rest);
    }
  }
  // Never repeated within a run: a name is new only once.
  turns += warmup + calls;
  return samples;
}

/**
 * @param {Contestant} contestant
 * @param {Operation} operation
 * @param {number} turn
 */
async function timeCall({ server, size, client }, operation, turn) {
  const args = operation.args(turn, size);
  const start = performance.now();
  const { structuredContent } = await client.call(operation.tool, args);
  const time = performance.now() - start;
  if (server !== 'no-op' && !operation.answered(structuredContent))
    throw new Error(
      `${server} at ${size} answered ${operation.name} wrongly: ${JSON.stringify(structuredContent)}`,
    );
  return time;
}

// @ts-check
/**
 * @typedef {import('./operations.js').Operation} Operation
 * @typedef {import('./random.js').Random} Random
 *
 * @typedef {object} Contestant
 * @property {'SQLite' | 'JSONL' | 'reference' | 'no-op'} server
 * @property {number} size Entities it holds; what the calls are drawn from.
 * @property {import('./stdio-client.js').StdioClient} client
 *
 * @typedef {object} Samples
 * @property {Contestant} contestant
 * @property {number[]} times Milliseconds of each call.
 */

let turn = 0;

/**
 * Times one operation on every contestant. Each turn calls all of them once, in a new order, so that what the machine
 * does meanwhile hits all alike.
 * @param {readonly Contestant[]} contestants
 * @param {Operation} operation
 * @param {{ calls: number, warmup: number, random: Random }} options
 * @returns {Promise<Samples[]>}
 */
export async function race(contestants, operation, { calls, warmup, random }) {
  const samples = contestants.map((contestant) => ({ contestant, times: /** @type {number[]} */ ([]) }));
  for (let round = 0; round < warmup + calls; round++) {
    // Never repeated within a run: a name is new only once.
    turn++;
    for (const { contestant, times } of random.shuffle(samples)) {
      const time = await timeCall(contestant, operation);
      if (round >= warmup) times.push(time);
    }
  }
  return samples;
}

/**
 * @param {Contestant} contestant
 * @param {Operation} operation
 */
async function timeCall({ server, size, client }, operation) {
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

// @ts-check
/**
 * @typedef {import('../../bench/lib/stdio-client.js').StdioClient} StdioClient
 * @typedef {import('../../bench/lib/random.js').Random} Random
 * @typedef {import('../crash/ledger.js').Ledger} Ledger
 * @typedef {import('../crash/batch.js').State} State
 */

/**
 * Reads in one of the ways an agent can, and throws unless the answer is one state the graph was in meanwhile.
 * @param {StdioClient} client
 * @param {Ledger} ledger
 * @param {Random} random
 */
export async function observe(client, ledger, random) {
  const mark = ledger.mark();
  const [batch, earliest] = random.pick([...mark, [undefined, 0]]);
  if (batch === undefined || random.next() < 0.3) {
    ledger.check(await read(client, 'read_graph', {}), mark);
  } else if (random.next() < 0.5) {
    ledger.checkOne(batch, await read(client, 'open_nodes', { names: batch.names }), earliest);
  } else {
    ledger.checkOne(batch, await read(client, 'search_nodes', { query: `${batch.id}/` }), earliest);
  }
}

/**
 * @param {StdioClient} client
 * @param {string} tool
 * @param {object} args
 * @returns {Promise<State>}
 */
async function read(client, tool, args) {
  const { structuredContent } = await client.call(tool, args);
  return /** @type {State} */ (/** @type {unknown} */ (structuredContent));
}

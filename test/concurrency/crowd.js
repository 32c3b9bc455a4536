// @ts-check
import { setTimeout as wait } from 'node:timers/promises';
import { trellis } from '../../bench/lib/servers.js';
import { StdioClient } from '../../bench/lib/stdio-client.js';
import { Ledger } from '../crash/ledger.js';
import { Traffic } from '../crash/traffic.js';
import { observe } from './observer.js';

// Between two reads of one reader: they are there to look, not to slow the writers down.
const pause = 15;

/**
 * @typedef {import('../../bench/lib/random.js').Random} Random
 *
 * @typedef {object} Crowd
 * @property {string} path The file or database they share.
 * @property {number} processes
 * @property {number} writers In each process, each with one call in flight.
 * @property {number} readers Likewise.
 * @property {number} writes By each writer.
 * @property {Random} random
 */

/**
 * Lets several processes, started together on a file that is not there yet, write and read at once; then checks with a
 * process that saw none of it. Throws at the first refused call or wrong answer.
 * @param {Crowd} crowd
 * @returns {Promise<number>} How many writes were acknowledged.
 */
export async function runCrowd({ path, processes, writers, readers, writes, random }) {
  const ledger = new Ledger();
  const clients = await Promise.all(
    Array.from({ length: processes }, () => StdioClient.connect(trellis(path))),
  );
  try {
    await Promise.all(
      clients.map(async (client, process) => {
        let writing = writers;
        const write = async (/** @type {number} */ writer) => {
          const traffic = new Traffic({ client, ledger, random, owner: `p${process}w${writer}` });
          for (let i = 0; i < writes; i++) await traffic.write();
          writing--;
        };
        const read = async () => {
          while (writing > 0) {
            await observe(client, ledger, random);
            await wait(pause);
          }
        };
        await Promise.all([
          ...Array.from({ length: writers }, (_, writer) => write(writer)),
          ...Array.from({ length: readers }, read),
        ]);
      }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.stop()));
  }
  await checkAfresh(path, ledger);
  return ledger.acknowledged;
}

/**
 * @param {string} path
 * @param {Ledger} ledger
 */
async function checkAfresh(path, ledger) {
  const client = await StdioClient.connect(trellis(path));
  try {
    const { structuredContent } = await client.call('read_graph', {});
    ledger.check(
      /** @type {import('../crash/batch.js').State} */ (/** @type {unknown} */ (structuredContent)),
    );
  } finally {
    await client.stop();
  }
}

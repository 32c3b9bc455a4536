// @ts-check
import pg from 'pg';
import { Graph } from '../../dist/engine/graph.js';
import { openNodes } from '../../dist/engine/read/open-nodes.js';
import { createNodesLenient } from '../../dist/engine/write/create-nodes-lenient.js';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';
import { median } from './statistics.js';

/**
 * @typedef {import('./random.js').Random} Random
 * @typedef {{ create: number, bareCreate: number, open: number, bareOpen: number }} Medians Milliseconds.
 */

const author = { actor: 'bench', tool: 'bench' };

/**
 * The engine on PostgreSQL beside the driver alone: a create beside `begin; insert; commit`, an open beside a `select`.
 * Both sides take open connections from a pool and prepare their statements, and they take turns in the same process.
 * @param {string} url An empty database.
 * @param {{ calls: number, warmup: number, random: Random }} options
 * @returns {Promise<Medians>}
 */
export async function besideTheDriver(url, { calls, warmup, random }) {
  const store = await openStoreAtLocation(url);
  await store.createGraph('default');
  const graph = new Graph(store, 'default');
  const pool = new pg.Pool({ connectionString: url });
  await pool.query('create table bare (name text primary key, body text not null)');
  const lanes = {
    create: (/** @type {number} */ turn) =>
      graph.write(author, (tx) =>
        createNodesLenient(tx, [{ name: `node ${turn}`, type: 'person', observations: [body(turn)] }]),
      ),
    bareCreate: async (/** @type {number} */ turn) => {
      const client = await pool.connect();
      await client.query('begin');
      await client.query({
        name: 'insert',
        text: 'insert into bare (name, body) values ($1, $2)',
        values: [`node ${turn}`, body(turn)],
      });
      await client.query('commit');
      client.release();
    },
    open: (/** @type {number} */ turn) => graph.read((reader) => openNodes(reader, [`node ${turn}`])),
    bareOpen: (/** @type {number} */ turn) =>
      pool.query({
        name: 'select',
        text: 'select name, body from bare where name = $1',
        values: [`node ${turn}`],
      }),
  };
  try {
    const creates = await inTurns({ create: lanes.create, bareCreate: lanes.bareCreate });
    const opens = await inTurns({ open: lanes.open, bareOpen: lanes.bareOpen });
    return { ...creates, ...opens };
  } finally {
    await pool.end();
    await store.close();
  }

  /**
   * @template {string} K
   * @param {Record<K, (turn: number) => Promise<unknown>>} work
   * @returns {Promise<Record<K, number>>}
   */
  async function inTurns(work) {
    const samples = /** @type {K[]} */ (Object.keys(work)).map((name) => ({
      name,
      times: /** @type {number[]} */ ([]),
    }));
    for (let turn = 0; turn < warmup + calls; turn++) {
      for (const { name, times } of random.shuffle(samples)) {
        const start = performance.now();
        await work[name](turn);
        if (turn >= warmup) times.push(performance.now() - start);
      }
    }
    return /** @type {Record<K, number>} */ (
      Object.fromEntries(samples.map(({ name, times }) => [name, median(times)]))
    );
  }
}

const body = (/** @type {number} */ turn) =>
  `was seen on turn ${turn}, and likes quiet mornings and strong tea`;

// @ts-check
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { choosePostgres } from '../../scripts/postgres/choose.js';

/**
 * Runs work with the URL of an empty database on a real PostgreSQL, and removes the database afterwards.
 * @template T
 * @param {(makeDatabase: () => Promise<string>, description: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withPostgres(work) {
  // A server that is given needs neither TLS nor another one to kill, as the tests do.
  const { TRELLIS_TEST_POSTGRES: given, ...others } = process.env;
  const env = given ? process.env : { ...others, TRELLIS_TEST_POSTGRES_REQUIRE: 'real' };
  const { url: server, description, stop } = await choosePostgres({ env, make: !given });
  // PGlite has one session for all connections: what it takes says nothing about PostgreSQL.
  if (server === undefined) throw new Error('Benchmarks need a real PostgreSQL, and PGlite was given.');
  /** @type {string[]} */
  const made = [];
  try {
    return await work(async () => {
      const name = `trellis_bench_${randomBytes(6).toString('hex')}`;
      await run(server, `create database ${name}`);
      made.push(name);
      const own = new URL(server);
      own.pathname = name;
      return own.href;
    }, description);
  } finally {
    for (const name of made) await run(server, `drop database ${name} with (force)`);
    await stop();
  }
}

/**
 * @param {string} url
 * @param {string} sql
 */
async function run(url, sql) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}

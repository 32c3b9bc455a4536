// @ts-check
import { join } from 'node:path';
import { fill, writeJsonl } from './dataset.js';
import { noop, reference, trellis } from './servers.js';
import { StdioClient } from './stdio-client.js';

/** @typedef {import('./race.js').Contestant} Contestant */

/**
 * Trellis on a SQLite database that was filled through its tools and then opened afresh.
 * @param {string} folder
 * @param {number} size
 * @returns {Promise<Contestant>}
 */
export async function sqliteContestant(folder, size) {
  return openedSqlite(await seedSqlite(folder, size), size);
}

/**
 * Trellis on a SQLite database that is there already.
 * @param {string} path
 * @param {number} size
 * @returns {Promise<Contestant>}
 */
export async function openedSqlite(path, size) {
  return { server: 'SQLite', size, client: await StdioClient.connect(trellis(path)) };
}

/**
 * @param {string} folder
 * @param {number} size
 */
export async function seedSqlite(folder, size) {
  const path = join(folder, `${size}.db`);
  await fillThrough(path, size);
  return path;
}

/**
 * @param {string} place
 * @param {number} size
 */
async function fillThrough(place, size) {
  const filler = await StdioClient.connect(trellis(place));
  await fill(filler, size);
  await filler.stop();
}

/**
 * @param {string} url An empty PostgreSQL database.
 * @param {number} size
 * @returns {Promise<Contestant>}
 */
export async function postgresContestant(url, size) {
  await fillThrough(url, size);
  return { server: 'PostgreSQL', size, client: await StdioClient.connect(trellis(url)) };
}

/**
 * @param {string} folder
 * @param {number} size
 * @returns {Promise<Contestant>}
 */
export async function jsonlContestant(folder, size) {
  const path = join(folder, `${size}.jsonl`);
  await writeJsonl(path, size);
  return { server: 'JSONL', size, client: await StdioClient.connect(trellis(path)) };
}

/**
 * @param {string} folder
 * @param {number} size
 * @returns {Promise<Contestant>}
 */
export async function referenceContestant(folder, size) {
  const path = join(folder, `reference-${size}.jsonl`);
  await writeJsonl(path, size);
  return { server: 'reference', size, client: await StdioClient.connect(reference(path)) };
}

/**
 * @param {number} size What its calls are drawn from; it holds nothing.
 * @returns {Promise<Contestant>}
 */
export async function noopContestant(size) {
  return { server: 'no-op', size, client: await StdioClient.connect(noop) };
}

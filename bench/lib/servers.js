// @ts-check
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./stdio-client.js').Command} Command */

const here = dirname(fileURLToPath(import.meta.url));
const cli = join(here, '..', '..', 'dist', 'bundle', 'trellis.js');

/**
 * The built program with a SQLite database, a JSONL file, or a PostgreSQL URL, told apart by how they end or begin.
 * @param {string} path
 * @returns {Command}
 */
export function trellis(path) {
  const isStore = path.endsWith('.db') || path.startsWith('postgres');
  return { args: [cli, 'stdio', isStore ? '--store' : '--file', path] };
}

/**
 * Any other command of the built program.
 * @param {string[]} args
 * @returns {Command}
 */
export const trellisCommand = (...args) => ({ args: [cli, ...args] });

/**
 * The memory server of the MCP project.
 * @param {string} path
 * @returns {Command}
 */
export function reference(path) {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json');
  return { args: [join(dirname(manifest), 'dist', 'index.js')], env: { MEMORY_FILE_PATH: path } };
}

/** Trellis's server with a tool that does nothing. */
export const noop = { args: [join(here, 'noop-server.js')] };

/** A server with nothing but the SDK. */
export const empty = { args: [join(here, 'empty-server.js')] };

// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { callOverHttp } from './http-rpc.js';

/**
 * @typedef {{ file: string, name: string }} Call A function that ran, and the source file it is in.
 * @typedef {(tool: string, args: object) => Promise<unknown>} CallTool
 * @typedef {{ call: CallTool, trace: (tool: string, args: object) => Promise<Call[]>, stop: () => Promise<void> }} TracedServer
 */

const quietMs = 1_000;
/** Runs on a timer, during a call or not. */
const pollingFile = 'store/sqlite/watch-data-version.ts';
const preload = new URL('report-coverage.js', import.meta.url).href;

/**
 * Starts `trellis stdio` from the unbundled build in a folder, and reports which functions a call runs.
 * @param {{ dist: string, cwd: string, args?: string[] }} options
 * @returns {Promise<TracedServer>}
 */
export async function traceStdio({ dist, cwd, args = [] }) {
  const child = start(dist, cwd, ['stdio', '--store', 'graph.db', ...args]);
  const lines = createInterface({ input: /** @type {import('node:stream').Readable} */ (child.stdout) });
  /** @type {Map<number, (result: { isError?: boolean } | undefined) => void>} */
  const waiting = new Map();
  lines.on('line', (line) => {
    const { id, result } = JSON.parse(line);
    waiting.get(id)?.(result);
  });
  const send = (/** @type {object} */ message) =>
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  /** @returns {Promise<{ isError?: boolean } | undefined>} */
  const request = (/** @type {string} */ method, /** @type {object} */ params) =>
    new Promise((resolve) => {
      const id = waiting.size;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const clientInfo = { name: 'bench', version: '0.0.0' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  const call = async (/** @type {string} */ name, /** @type {object} */ given) => {
    const result = await request('tools/call', { name, arguments: given });
    if (result === undefined || result.isError) throw new Error(`${name}: ${JSON.stringify(result)}`);
  };
  return traced(child, dist, call);
}

/**
 * The same for `trellis serve`.
 * @param {{ dist: string, cwd: string, args?: string[], path: string, token: string }} options
 * @returns {Promise<TracedServer>}
 */
export async function traceHttp({ dist, cwd, args = [], path, token }) {
  const child = start(dist, cwd, ['serve', '--port', '0', '--store', 'graph.db', ...args]);
  const agent = new Agent({ keepAlive: true });
  let said = '';
  while (!/listening on (http:\S+)/.test(said)) {
    const [chunk] = await once(/** @type {import('node:stream').Readable} */ (child.stdout), 'data');
    said += chunk;
  }
  const url = new URL(path, /listening on (http:\S+)/.exec(said)?.[1]);
  return traced(child, dist, (name, given) => callOverHttp({ url, agent, token }, name, given));
}

/**
 * @param {string} dist
 * @param {string} cwd
 * @param {string[]} args
 */
function start(dist, cwd, args) {
  const child = fork(join(dist, 'cli', 'main.js'), args, {
    cwd,
    execArgv: ['--import', preload],
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  child.once('exit', (code) => {
    if (code) throw new Error(`trellis ${args.join(' ')} ended with exit code ${code}.`);
  });
  return child;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} dist
 * @param {CallTool} call
 * @returns {TracedServer}
 */
function traced(child, dist, call) {
  const root = `${pathToFileURL(dist).href}/`;
  /** @returns {Promise<Call[]>} Since the last time. */
  const called = async () => {
    child.send('report');
    const [calls] = await once(child, 'message');
    return calls
      .filter((/** @type {{ url: string }} */ { url }) => url.startsWith(root))
      .map((/** @type {{ url: string, name: string }} */ { url, name }) => ({
        file: url.slice(root.length).replace(/\.js$/, '.ts'),
        name,
      }));
  };
  /**
   * Work that follows a call, such as indexing, ends before the next call is traced. What a timer repeats never ends:
   * then the same functions run in each period.
   */
  const idle = async () => {
    for (let before, now; now !== '[]' && (now === undefined || now !== before); ) {
      await delay(quietMs);
      before = now;
      now = JSON.stringify(await called());
    }
  };
  return {
    call,
    async trace(tool, args) {
      await idle();
      await call(tool, args);
      return (await called()).filter(({ file }) => file !== pollingFile);
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { callOverHttp } from './http-rpc.js';
import { trellisCommand } from './servers.js';
import { ServerGone } from './stdio-client.js';

/** @typedef {import('./stdio-client.js').ToolResult} ToolResult */

const unlimited = fileURLToPath(new URL('unlimited.yaml', import.meta.url));

/** `trellis serve` in a process of its own, called by any number of clients, each of which has a connection. */
export class HttpServer {
  /** @type {import('node:child_process').ChildProcess} */
  #child;
  /** Connections take turns: one that is never used is closed by the server, perhaps just when it is used. */
  #agent = new Agent({ keepAlive: true, scheduling: 'fifo' });
  #output = '';
  /** @type {URL | undefined} */
  #url;

  /**
   * @param {string} store
   * @param {{ config?: string, env?: NodeJS.ProcessEnv }} [options]
   */
  constructor(store, { config = unlimited, env = process.env } = {}) {
    const options = ['--port', '0', '--json', '--store', store, '--config', config];
    const { args } = trellisCommand('serve', ...options);
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#output = (this.#output + chunk).slice(-8_000);
      });
    }
    /** Resolves with how the process ended. */
    this.exited = once(this.#child, 'close').then(([code, signal]) => signal ?? `exit code ${code}`);
  }

  /**
   * Starts a server and waits until it listens.
   * @param {string} store
   * @param {{ config?: string, env?: NodeJS.ProcessEnv }} [options]
   */
  static async start(store, options) {
    const server = new HttpServer(store, options);
    await server.#listening();
    return server;
  }

  get pid() {
    return this.#child.pid;
  }

  /** All it has printed, on both streams. */
  get output() {
    return this.#output;
  }

  /**
   * Calls a tool and throws when it answers with an error.
   * @param {string} name
   * @param {object} args
   * @returns {Promise<ToolResult>}
   */
  call(name, args) {
    return callOverHttp({ url: /** @type {URL} */ (this.#url), agent: this.#agent }, name, args);
  }

  /**
   * The same at another endpoint.
   * @param {string} path
   * @param {string} name
   * @param {object} args
   * @returns {Promise<ToolResult>}
   */
  callAt(path, name, args) {
    return callOverHttp({ url: new URL(path, this.#url), agent: this.#agent }, name, args);
  }

  /** Ends it as an operator would. */
  async stop() {
    this.#agent.destroy();
    this.#child.kill('SIGTERM');
    return this.exited;
  }

  /** Ends it with no chance to tidy up. */
  async kill() {
    this.#child.kill('SIGKILL');
    return this.exited;
  }

  async #listening() {
    const ended = this.exited.then((how) => {
      throw new ServerGone(`The server ended (${how}). ${this.#output}`);
    });
    const announced = (async () => {
      while (!/"url": "([^"]+)"[^}]*\n}/.test(this.#output)) {
        await once(/** @type {import('node:stream').Readable} */ (this.#child.stdout), 'data');
      }
      this.#url = new URL(JSON.parse(this.#output.slice(this.#output.indexOf('{'))).url);
    })();
    await Promise.race([announced, ended]);
  }
}

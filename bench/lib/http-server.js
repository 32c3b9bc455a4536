// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { trellisCommand } from './servers.js';
import { ServerGone, ToolFailed } from './stdio-client.js';

/** @typedef {import('./stdio-client.js').ToolResult} ToolResult */

/** `trellis serve` in a process of its own, called by any number of clients, each of which has a connection. */
export class HttpServer {
  /** @type {import('node:child_process').ChildProcess} */
  #child;
  #agent = new Agent({ keepAlive: true });
  #nextId = 1;
  #output = '';
  /** @type {URL | undefined} */
  #url;

  /** @param {string} store */
  constructor(store) {
    const { args } = trellisCommand('serve', '--port', '0', '--json', '--store', store);
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
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
   */
  static async start(store) {
    const server = new HttpServer(store);
    await server.#listening();
    return server;
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
  async call(name, args) {
    const id = this.#nextId++;
    const answer = await this.#post({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: args },
    });
    if (answer.error) throw new Error(`${answer.error.message} (${answer.error.code})`);
    if (answer.result.isError) throw new ToolFailed(`${name}: ${answer.result.content?.[0]?.text}`);
    return answer.result;
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

  /**
   * @param {object} message
   * @returns {Promise<any>}
   */
  #post(message) {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    return new Promise((resolve, reject) => {
      const gone = (/** @type {Error} */ error) => reject(new ServerGone(error.message, { cause: error }));
      const options = { method: 'POST', agent: this.#agent, headers };
      const outgoing = request(/** @type {URL} */ (this.#url), options, (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (text) => {
          body += text;
        });
        response.on('error', gone);
        response.on('end', () => {
          try {
            resolve(readAnswer(body, response.headers['content-type'] ?? ''));
          } catch (error) {
            reject(error);
          }
        });
      });
      outgoing.on('error', gone);
      outgoing.end(JSON.stringify(message));
    });
  }
}

/**
 * An answer comes as JSON or as the last event of a stream.
 * @param {string} body
 * @param {string} type
 */
function readAnswer(body, type) {
  if (!type.startsWith('text/event-stream')) return JSON.parse(body);
  const data = body.split('\n').filter((line) => line.startsWith('data:'));
  return JSON.parse((data.at(-1) ?? '').slice('data:'.length));
}

// @ts-check
import { spawn } from 'node:child_process';

/**
 * @typedef {object} Command What to start.
 * @property {string} [command] Node, unless given.
 * @property {string[]} args With Node, the script first.
 * @property {Record<string, string>} [env] Added to this process's environment.
 *
 * @typedef {object} ToolResult
 * @property {{ type: string, text?: string }[]} content
 * @property {Record<string, unknown>} [structuredContent]
 * @property {boolean} [isError]
 *
 * @typedef {{ resolve: (value: any) => void, reject: (error: Error) => void }} Waiting
 */

/** The process ended before it answered: expected when a test kills it. */
export class ServerGone extends Error {}

/** A tool answered with an error. */
export class ToolFailed extends Error {}

const newline = 0x0a;

/** The least client that can hold an MCP conversation over stdio, so that every server is measured through the same thin pipe. */
export class StdioClient {
  /** @type {import('node:child_process').ChildProcessByStdio<import('node:stream').Writable, import('node:stream').Readable, import('node:stream').Readable>} */
  #child;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #nextId = 1;
  /** @type {Buffer[]} */
  #partial = [];
  #stderr = '';
  #gone = false;

  /** @param {Command} command */
  constructor({ command = process.execPath, args, env }) {
    this.#child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    this.#child.stdout.on('data', (chunk) => this.#read(chunk));
    this.#child.stderr.on('data', (chunk) => {
      this.#stderr = (this.#stderr + chunk).slice(-4_000);
    });
    // A killed server breaks the pipe; the exit below is what tells the callers.
    this.#child.stdin.on('error', () => {});
    /** Resolves with how the process ended. */
    this.exited = new Promise((resolve) => {
      this.#child.once('error', (error) => this.#end(String(error), resolve));
      this.#child.once('close', (code, signal) => this.#end(signal ?? `exit code ${code}`, resolve));
    });
  }

  /**
   * Starts a server and shakes hands with it.
   * @param {Command} command
   */
  static async connect(command) {
    const client = new StdioClient(command);
    await client.initialize();
    return client;
  }

  /** @returns {number} */
  get pid() {
    return this.#child.pid ?? 0;
  }

  get stderr() {
    return this.#stderr;
  }

  async initialize() {
    await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '0.0.0' },
    });
    this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /**
   * @param {string} method
   * @param {object} params
   * @returns {Promise<any>}
   */
  request(method, params) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      if (this.#gone) return reject(new ServerGone('The server has ended.'));
      this.#waiting.set(id, { resolve, reject });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  /**
   * Calls a tool and throws when it answers with an error.
   * @param {string} name
   * @param {object} args
   * @returns {Promise<ToolResult>}
   */
  async call(name, args) {
    const result = await this.request('tools/call', { name, arguments: args });
    if (result.isError) throw new ToolFailed(`${name}: ${result.content?.[0]?.text}`);
    return result;
  }

  /** Ends the conversation the way a client does, by closing stdin. */
  async stop() {
    this.#child.stdin.end();
    await this.exited;
  }

  /** Ends the process with no chance to tidy up. */
  async kill() {
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  /** @param {object} message */
  #send(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** @param {Buffer} chunk */
  #read(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#partial.push(chunk.subarray(start, end));
      const line = Buffer.concat(this.#partial).toString();
      this.#partial = [];
      start = end + 1;
      if (line.trim() !== '') this.#receive(JSON.parse(line));
    }
    if (start < chunk.length) this.#partial.push(chunk.subarray(start));
  }

  /** @param {{ id?: number, result?: unknown, error?: { code: number, message: string } }} message */
  #receive({ id, result, error }) {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(`${error.message} (${error.code})`));
  }

  /**
   * @param {string} how
   * @param {(how: string) => void} resolve
   */
  #end(how, resolve) {
    this.#gone = true;
    const error = new ServerGone(`The server ended (${how}). ${this.#stderr}`);
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
    resolve(how);
  }
}

import { PassThrough } from 'node:stream';
import { Relay } from '../../src/proxy/relay.js';
import { type ProxyCredentials, Upstream } from '../../src/proxy/upstream.js';
import type { RpcMessage } from '../helpers/stdio-process.js';

/** A client at a relay, in this process, spoken to in raw lines. */
export class Relayed {
  readonly lines: string[] = [];
  readonly notes: string[] = [];
  readonly ended: Promise<void>;
  readonly #stdin = new PassThrough();
  #ask: () => void = () => {};

  constructor(url: string, credentials: ProxyCredentials = { token: undefined, hint: 'Set A_TOKEN' }) {
    const stdout = new PassThrough();
    let rest = '';
    stdout.on('data', (chunk: Buffer) => {
      const parts = (rest + String(chunk)).split('\n');
      rest = parts.pop() ?? '';
      this.lines.push(...parts);
    });
    const upstream = new Upstream({ url: new URL(url), credentials });
    const relay = new Relay({
      upstream,
      stdin: this.#stdin,
      stdout,
      note: (line) => this.notes.push(line),
    });
    const asked = new Promise<void>((resolve) => {
      this.#ask = resolve;
    });
    this.ended = relay.run(asked);
  }

  get messages(): RpcMessage[] {
    return this.lines.map((line) => JSON.parse(line));
  }

  line(text: string | Buffer): void {
    this.#stdin.write(Buffer.concat([Buffer.from(text), Buffer.from('\n')]));
  }

  send(message: object): void {
    this.line(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** The client closes its end. */
  close(): Promise<void> {
    this.#stdin.end();
    return this.ended;
  }

  /** The process is asked to end. */
  terminate(): Promise<void> {
    this.#ask();
    return this.ended;
  }
}

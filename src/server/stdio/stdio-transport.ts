import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { limits } from '../../model/limits.js';
import { type LineEdges, LineReader } from './line-reader.js';
import { requestIdOf } from './request-id.js';

/** Unlike the SDK's transport, this one stays open when the input ends, until every request is answered. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  /** The input ended, or nobody reads the output. */
  readonly ended: Promise<void>;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #unanswered = new Map<RequestId, number>();
  #whenAnswered: (() => void)[] = [];
  #end: () => void = () => {};
  #closed = false;
  readonly #lines = new LineReader(limits.requestBytes, {
    line: (text) => this.#receive(text),
    tooLong: (line) => this.#refuseLong(line),
    invalidUtf8: (line) =>
      this.#refuse(
        requestIdOf(line),
        ProtocolErrorCode.ParseError,
        'Parse error: the line is not valid UTF-8',
      ),
  });

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async start(): Promise<void> {
    this.#stdin.on('data', this.#onData);
    this.#stdin.once('end', () => {
      if (!this.#closed) this.#lines.end();
      this.#end();
    });
    this.#stdin.once('close', () => this.#end());
    this.#stdin.on('error', (error) => this.#fail(error));
    this.#stdout.on('error', (error) => this.#fail(error));
  }

  stopReading(): void {
    this.#stdin.off('data', this.#onData);
    this.#stdin.pause();
  }

  answered(): Promise<void> {
    if (this.#unanswered.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenAnswered.push(resolve));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return;
    await this.#write(message);
    if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.stopReading();
    this.#stdin.destroy();
    this.#end();
    this.#release();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => this.#lines.push(chunk);

  #receive(line: string): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(null, ProtocolErrorCode.ParseError, 'Parse error: the line is not valid JSON');
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuse(idOf(value), ProtocolErrorCode.InvalidRequest, 'The line is not one JSON-RPC 2.0 message');
      return;
    }
    this.#count(message);
    this.onmessage?.(message);
  }

  /** Subscriptions last until the session ends, so they must not delay that. */
  #count(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      if (message.method === 'subscriptions/listen') return;
      this.#unanswered.set(message.id, (this.#unanswered.get(message.id) ?? 0) + 1);
    } else if (message.method === 'notifications/cancelled') {
      const cancelled = message.params?.['requestId'];
      if (typeof cancelled === 'string' || typeof cancelled === 'number') this.#settle(cancelled);
    }
  }

  #settle(id: RequestId): void {
    const open = this.#unanswered.get(id);
    if (open === undefined) return;
    if (open > 1) this.#unanswered.set(id, open - 1);
    else this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#release();
  }

  #release(): void {
    const waiting = this.#whenAnswered;
    this.#whenAnswered = [];
    for (const resolve of waiting) resolve();
  }

  #refuseLong(line: LineEdges): void {
    this.#refuse(
      requestIdOf(line),
      ProtocolErrorCode.InvalidRequest,
      `The message is too long: at most ${limits.requestBytes} bytes are allowed. Split it into smaller calls.`,
    );
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.onerror?.(new Error(message));
    this.#write({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => {});
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stdout.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  #fail(error: Error): void {
    if (this.#closed) return;
    this.onerror?.(error);
    this.#unanswered.clear();
    this.#release();
    this.#end();
  }
}

function idOf(value: unknown): RequestId | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

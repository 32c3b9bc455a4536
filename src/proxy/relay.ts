import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout } from '../bounds/with-timeout.js';
import { parseJsonOrUndefined } from '../model/json.js';
import { limits } from '../model/limits.js';
import { LineReader } from '../server/stdio/line-reader.js';
import { requestIdOf } from '../server/stdio/request-id.js';
import {
  onOneLine,
  parseRpcMessage,
  protocolVersionOf,
  type RpcMessage,
  type RpcMessageId,
} from './rpc-message.js';
import type { Upstream } from './upstream.js';
import { failureFromError, type UpstreamFailure } from './upstream-failure.js';

export interface RelayOptions {
  readonly upstream: Upstream;
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Receives failures that no response can report. */
  readonly note: (line: string) => void;
}

const rpc = { parseError: -32_700, invalidRequest: -32_600, serverError: -32_000 } as const;

/** The pause before a broken stream is requested again. */
const retryMs = { first: 1_000, most: 30_000 } as const;

/** Passes JSON-RPC messages between stdio and HTTP unchanged. */
export class Relay {
  readonly #upstream: Upstream;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #note: (line: string) => void;
  readonly #closing = new AbortController();
  /** Requests without a response yet. */
  readonly #open = new Map<
    RpcMessageId,
    { readonly message: RpcMessage; readonly controller: AbortController }
  >();
  /** All exchanges except open-ended streams. */
  readonly #running = new Set<Promise<void>>();
  /** Resolves when the next message may be sent: some must arrive before those after them. */
  #turn: Promise<void> = Promise.resolve();
  #written: Promise<void> = Promise.resolve();

  constructor({ upstream, stdin, stdout, note }: RelayOptions) {
    this.#upstream = upstream;
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#note = note;
  }

  /** Runs until the client closes its end or `shutdown` resolves, and finishes requests under way. */
  async run(shutdown: Promise<unknown>): Promise<void> {
    const lines = new LineReader(limits.requestBytes, {
      line: (text) => this.#receive(text),
      tooLong: (line) => {
        const words = `The message is too long: at most ${limits.requestBytes} bytes are allowed. Split it into smaller calls.`;
        this.#refuse(requestIdOf(line), rpc.invalidRequest, { message: words });
      },
      invalidUtf8: (line) =>
        this.#refuse(requestIdOf(line), rpc.parseError, {
          message: 'Parse error: the line is not valid UTF-8',
        }),
    });
    const push = (chunk: Buffer) => lines.push(chunk);
    const ended = new Promise<'ended'>((resolve) => {
      this.#stdin.once('end', () => {
        lines.end();
        resolve('ended');
      });
      for (const event of ['close', 'error']) this.#stdin.once(event, () => resolve('ended'));
      this.#stdout.once('error', () => resolve('ended'));
    });
    this.#stdin.on('data', push);
    await Promise.race([ended, shutdown]);
    this.#stdin.off('data', push);
    this.#stdin.pause();
    await this.#finish(shutdown);
    this.#closing.abort();
    await this.#written;
    await this.#upstream.end();
    this.#stdin.destroy();
  }

  /** After a shutdown, responses get only a moment. */
  async #finish(shutdown: Promise<unknown>): Promise<void> {
    const idle = this.#idle();
    await Promise.race([idle, shutdown]);
    await withTimeout(idle, 2_000, () => {});
  }

  async #idle(): Promise<void> {
    await this.#turn;
    while (this.#running.size > 0) await Promise.race(this.#running);
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    const message = parseRpcMessage(line);
    if (message === undefined) {
      const words = 'The line is not one JSON-RPC 2.0 message.';
      this.#refuse(null, parseJsonOrUndefined(line) === undefined ? rpc.parseError : rpc.invalidRequest, {
        message: words,
      });
      return;
    }
    if (message.method === 'notifications/cancelled' && this.#cancel(message)) return;
    const controller = new AbortController();
    if (message.kind === 'request' && message.id !== undefined)
      this.#open.set(message.id, { message, controller });
    this.#turn = this.#turn.then(() => this.#start(message, controller));
  }

  /** In the 2026 protocol, closing the stream of a request cancels it; in that of 2025, the server is notified and decides. */
  #cancel({ params }: RpcMessage): boolean {
    const id = params['requestId'];
    const open = typeof id === 'string' || typeof id === 'number' ? this.#open.get(id) : undefined;
    if (open === undefined || protocolVersionOf(open.message) === undefined) return false;
    open.controller.abort();
    return true;
  }

  /** Requests run concurrently; `initialize` and notifications must arrive before what follows. */
  async #start(message: RpcMessage, controller: AbortController): Promise<void> {
    const exchange = this.#exchange(message, AbortSignal.any([controller.signal, this.#closing.signal]));
    const done = exchange.finally(() => {
      this.#running.delete(done);
      if (message.id !== undefined && this.#open.get(message.id)?.message === message)
        this.#open.delete(message.id);
    });
    if (message.method !== 'subscriptions/listen') this.#running.add(done);
    if (message.kind !== 'request' || message.method === 'initialize') await done;
    if (message.method === 'notifications/initialized') void this.#listen();
  }

  async #exchange(message: RpcMessage, signal: AbortSignal): Promise<void> {
    const { id = null } = message;
    try {
      if (signal.aborted) return;
      const outcome = await this.#upstream.send(message, signal);
      if (!outcome.accepted) {
        if (typeof outcome.refusal === 'string') await this.#write(outcome.refusal);
        else this.#refuse(message.kind === 'request' ? id : undefined, rpc.serverError, outcome.refusal);
        return;
      }
      const answered = await this.#deliverAll(message, outcome.messages);
      if (!answered && message.kind === 'request')
        throw new Error('the connection ended before the answer came');
    } catch (thrown) {
      if (signal.aborted) return;
      this.#refuse(
        message.kind === 'request' ? id : undefined,
        rpc.serverError,
        failureFromError(thrown, this.#upstream.url),
      );
    }
  }

  /** Returns whether the response was among the messages. */
  async #deliverAll(message: RpcMessage, messages: AsyncIterable<string>): Promise<boolean> {
    let answered = false;
    for await (const text of messages) {
      const answer = await this.#deliver(text);
      if (answer?.kind !== 'response' || answer.id !== message.id) continue;
      answered = true;
      const version = answer.result['protocolVersion'];
      if (message.method === 'initialize' && typeof version === 'string')
        this.#upstream.setProtocolVersion(version);
    }
    return answered;
  }

  /** The stream of a 2025 server for messages that no request asked for. */
  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    let from: string | undefined;
    let wait: number = retryMs.first;
    while (!signal.aborted) {
      try {
        const seen = (id: string) => {
          from = id;
        };
        const messages = await this.#upstream.listen(signal, { from, seen });
        if (messages === undefined) return;
        for await (const text of messages) {
          await this.#deliver(text);
          wait = retryMs.first;
        }
      } catch {
        // The next request reports what is wrong with the connection.
      }
      await delay(wait, undefined, { signal, ref: false }).catch(() => {});
      wait = Math.min(retryMs.most, wait * 2);
    }
  }

  async #deliver(text: string): Promise<RpcMessage | undefined> {
    const message = parseRpcMessage(text);
    if (message === undefined) this.#note('the server sent an invalid JSON-RPC message; it was dropped');
    else await this.#write(text);
    return message;
  }

  #refuse(id: RpcMessageId | null | undefined, code: number, { message, status }: UpstreamFailure): void {
    const data = status === undefined ? {} : { data: { status } };
    if (id === undefined) this.#note(message);
    else void this.#write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...data } }));
  }

  /** Waits until the client has taken the line, so that a slow client does not fill the memory. */
  #write(text: string): Promise<void> {
    const written = new Promise<void>((resolve) => {
      this.#stdout.write(`${onOneLine(text)}\n`, () => resolve());
    });
    this.#written = Promise.all([this.#written, written]).then(() => {});
    return written;
  }
}

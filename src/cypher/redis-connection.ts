import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { RedisReplies, type RedisReply, RedisReplyError } from './redis-replies.js';

const defaultPort = 6379;
const connectTimeoutMs = 10_000;

interface Waiting {
  resolve(reply: RedisReply): void;
  reject(error: Error): void;
}

/** A connection to a Redis server, as far as one command after the other needs it. */
export class RedisConnection {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  #failure: Error | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const replies = new RedisReplies((reply) => this.#settle(reply));
    socket.on('data', (bytes) => {
      try {
        replies.push(bytes);
      } catch (error) {
        // Nothing after it can be understood either.
        socket.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The connection was closed.')));
  }

  static async open(url: URL, isEncrypted: boolean): Promise<RedisConnection> {
    const place = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || defaultPort) };
    const socket = isEncrypted ? connectTls({ ...place, servername: place.host }) : connectTcp(place);
    socket.setNoDelay(true);
    await new Promise<void>((resolve, reject) => {
      socket.once(isEncrypted ? 'secureConnect' : 'connect', resolve);
      socket.once('error', reject);
      socket.setTimeout(connectTimeoutMs, () =>
        socket.destroy(new Error('No answer to the attempt to connect.')),
      );
    });
    socket.setTimeout(0);
    return new RedisConnection(socket);
  }

  /** Replies come in the order of the commands. */
  send(command: readonly string[]): Promise<RedisReply> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const parts = command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(`*${command.length}\r\n${parts.join('')}`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #settle(reply: RedisReply): void {
    const waiting = this.#waiting.shift();
    if (reply instanceof RedisReplyError) waiting?.reject(reply);
    else waiting?.resolve(reply);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

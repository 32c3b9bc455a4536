import type { Worker } from 'node:worker_threads';
import { programFile } from '../../../../file/package-files.js';
import type { NearPairsRequest } from './find-near-pairs.js';
import type { NodePairAnswer, NodePairMessage } from './node-pair-messages.js';

interface Waiting {
  readonly resolve: (answer: NodePairAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** A thread that holds the vectors of nodes and compares them. It keeps no process alive. */
export class NodePairThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #error: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.unref();
    worker.on('message', (answer: NodePairAnswer) => {
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
    });
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('The thread that compares nodes has ended.')));
  }

  static async start(): Promise<NodePairThread> {
    // Loaded on demand to keep the start of the server fast.
    const { Worker } = await import('node:worker_threads');
    return new NodePairThread(new Worker(programFile(import.meta.url, './node-pair-worker.js')));
  }

  get hasFailed(): boolean {
    return this.#error !== undefined;
  }

  tell(message: Exclude<NodePairMessage, { kind: 'find' }>): void {
    if (message.kind !== 'put') this.#worker.postMessage(message);
    else this.#worker.postMessage(message, [message.vectors.buffer as ArrayBuffer]);
  }

  find(key: string, request: Omit<NearPairsRequest, 'until'>, timeMs: number): Promise<NodePairAnswer> {
    if (this.#error !== undefined) return Promise.reject(this.#error);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const message: NodePairMessage = { kind: 'find', id, key, request, timeMs };
      this.#worker.postMessage(message);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#error ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#error);
    this.#waiting.clear();
  }
}

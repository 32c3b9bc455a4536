import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programFile } from '../../../file/package-files.js';
import type { VectorSource } from '../../../store/vector-store.js';
import type { Perspective } from '../../perspectives.js';
import type { EmbeddingRequest, EmbeddingResponse } from './embedding-messages.js';

const program = programFile(import.meta.url, './embedding-worker.js');
/** A thread without work ends, since it takes memory. */
const idleMs = 10_000;

interface Settle {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Embeds with the model in the package on a thread of its own, so that calls do not wait for it. */
export class EmbeddingThread {
  readonly #source: VectorSource;
  #worker: Worker | undefined;
  #ending: Promise<unknown> = Promise.resolve();
  #closed = false;
  #idle: NodeJS.Timeout | undefined;
  #work: Settle | undefined;

  constructor(source: VectorSource) {
    this.#source = source;
  }

  /** Embeds what is pending; one graph at a time. Resolves early when this is closed. */
  async embed(graph: string, perspectives: readonly Perspective[]): Promise<void> {
    clearTimeout(this.#idle);
    await this.#ending;
    if (this.#closed) return;
    this.#worker ??= this.#start();
    this.#worker.ref();
    try {
      await new Promise<void>((resolve, reject) => {
        this.#work = { resolve, reject };
        this.#send({ embed: { graph, perspectives } });
      });
    } finally {
      this.#work = undefined;
      // Whoever closes this waits for the thread to end, which has to keep the process alive until then.
      if (!this.#closed) {
        this.#worker?.unref();
        this.#idle = setTimeout(() => this.#end(), idleMs).unref();
      }
    }
  }

  /** Waits for the current batch. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#end();
    await this.#ending;
  }

  #start(): Worker {
    const worker = new Worker(program, { workerData: this.#source });
    worker.on('message', (response: EmbeddingResponse) => this.#receive(response));
    worker.on('error', (error) => this.#lost(error));
    worker.on('exit', () => this.#lost(new Error('The thread that embeds has ended.')));
    return worker;
  }

  #end(): void {
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    // An error of the thread has been reported by then.
    this.#ending = once(worker, 'exit').catch(() => {});
    this.#send('end');
  }

  #receive(response: EmbeddingResponse): void {
    if (response === 'done') this.#work?.resolve();
    else this.#work?.reject(new Error(response.failed));
  }

  #lost(error: unknown): void {
    this.#worker = undefined;
    this.#work?.reject(error);
  }

  #send(request: EmbeddingRequest): void {
    this.#worker?.postMessage(request);
  }
}

import type { Worker } from 'node:worker_threads';
import { programFile } from '../../../../file/package-files.js';
import type {
  AnswerTo,
  NodePairAnswer,
  NodePairMessage,
  NodePairNews,
  NodePairQuestion,
} from './node-pair-messages.js';

type FindQuestion = Extract<NodePairQuestion, { readonly kind: 'find' }>;

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
    worker.on('message', (answer: NodePairAnswer & { readonly id: number }) => {
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

  tell(message: NodePairNews): void {
    if ('vectors' in message) this.#worker.postMessage(message, [message.vectors.buffer]);
    else this.#worker.postMessage(message);
  }

  async find(question: Omit<FindQuestion, 'kind'>): Promise<AnswerTo<'find'>> {
    const answer = await this.#ask({ kind: 'find', ...question });
    return answer.kind === 'find' ? answer : unexpected(answer);
  }

  async load(key: string, body: Uint8Array): Promise<boolean> {
    const answer = await this.#ask({ kind: 'load', key, body });
    return answer.kind === 'load' ? answer.isLoaded : unexpected(answer);
  }

  async save(key: string): Promise<AnswerTo<'save'>> {
    const answer = await this.#ask({ kind: 'save', key });
    return answer.kind === 'save' ? answer : unexpected(answer);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(question: NodePairQuestion): Promise<NodePairAnswer> {
    if (this.#error !== undefined) return Promise.reject(this.#error);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const message: NodePairMessage = { id, ...question };
      this.#worker.postMessage(message);
    });
  }

  #fail(error: Error): void {
    this.#error ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#error);
    this.#waiting.clear();
  }
}

function unexpected({ kind }: NodePairAnswer): never {
  throw new TypeError(`The thread that compares nodes answered another question: ${kind}`);
}

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../../file/package-files.js';
import type { TrellisError } from '../../../model/error.js';
import { embedderUnavailable, type TextKind } from '../embedder.js';
import type { EmbedRequest, OnnxResponse } from './onnx-messages.js';

const program = fileURLToPath(programFile(import.meta.url, './onnx-process.js'));

interface Pending {
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A process that runs a model: running it blocks, and a model that is damaged may crash it. */
export class OnnxProcessHandle {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #pending = new Map<number, Pending>();
  #last = 0;
  #ended = false;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#child = fork(program, [folder], {
      execArgv: [],
      serialization: 'advanced',
      // Standard output may carry a protocol.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', (response: OnnxResponse) => this.#receive(response));
    this.#child.once('error', () => this.#end());
    this.#child.once('close', () => this.#end());
  }

  /** Resolves when the model has embedded a first text; rejects if it cannot. */
  static start(folder: string) {
    const handle = new OnnxProcessHandle(folder);
    return new Promise<{ handle: OnnxProcessHandle; id: string; dimension: number }>((started, failed) => {
      handle.#child.once('message', (response: OnnxResponse) => {
        if ('ready' in response) {
          handle.#keepAlive(false);
          started({ handle, ...response.ready });
        } else if ('failure' in response) {
          handle.#child.kill('SIGKILL');
          failed(embedderUnavailable(response.failure.message, response.failure.hint));
        }
      });
      handle.#child.once('error', failed);
      handle.#child.once('close', () => failed(handle.#endedError()));
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  embed(texts: readonly string[], kind: TextKind): Promise<Float32Array[]> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#endedError());
      const request: EmbedRequest = { request: ++this.#last, texts, kind };
      this.#pending.set(request.request, { resolve, reject });
      this.#keepAlive(true);
      // Sending fails only if the process is gone, which its end reports.
      this.#child.send(request, () => {});
    });
  }

  #receive(response: OnnxResponse): void {
    if (!('request' in response)) return;
    const pending = this.#pending.get(response.request);
    this.#pending.delete(response.request);
    if (this.#pending.size === 0) this.#keepAlive(false);
    if ('vectors' in response) pending?.resolve([...response.vectors]);
    else pending?.reject(embedderUnavailable(`The model failed: ${response.error}`, retryHint));
  }

  /** Whether this program waits for the process before it exits. */
  #keepAlive(wanted: boolean): void {
    if (wanted) {
      this.#child.ref();
      this.#child.channel?.ref();
    } else {
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }

  #end(): void {
    this.#ended = true;
    for (const { reject } of this.#pending.values()) reject(this.#endedError());
    this.#pending.clear();
  }

  #endedError(): TrellisError {
    return embedderUnavailable(`The process that runs the model in ${this.#folder} has ended.`, retryHint);
  }
}

const retryHint = 'Try again; if it fails again, check the memory of this machine, or use a smaller model.';

import { resolve } from 'node:path';
import { type Embedder, embedderUnavailable, sentenceModelWeight, type TextKind } from '../embedder.js';
import { OnnxProcessHandle } from './onnx-process-handle.js';

/** One process for each model of this program, however many ask for it. */
const opened = new Map<string, Promise<OnnxEmbedder>>();

/** Starts the model; a folder that cannot be used fails here. */
export function openOnnxEmbedder(folder: string): Promise<Embedder> {
  const path = resolve(folder);
  const known = opened.get(path) ?? OnnxEmbedder.open(path);
  opened.set(path, known);
  known.catch(() => opened.delete(path));
  return known;
}

/** Embeds with a sentence-transformer in a process of its own, which is started again if it ends. */
class OnnxEmbedder implements Embedder {
  readonly id: string;
  // Such a model was not trained to follow instructions.
  readonly perspectives = 'none';
  readonly canShorten = false;
  readonly batchSize = 64;
  readonly meaningWeight = sentenceModelWeight;
  readonly #folder: string;
  readonly #dimension: number;
  #handle: OnnxProcessHandle;

  private constructor(
    folder: string,
    { handle, id, dimension }: Awaited<ReturnType<typeof OnnxProcessHandle.start>>,
  ) {
    this.id = id;
    this.#folder = folder;
    this.#dimension = dimension;
    this.#handle = handle;
  }

  static async open(folder: string): Promise<OnnxEmbedder> {
    return new OnnxEmbedder(folder, await OnnxProcessHandle.start(folder));
  }

  async dimension(): Promise<number> {
    return this.#dimension;
  }

  async embed(texts: readonly string[], kind: TextKind): Promise<Float32Array[]> {
    if (this.#handle.ended) await this.#restart();
    return this.#handle.embed(texts, kind);
  }

  async #restart(): Promise<void> {
    const { handle, id } = await OnnxProcessHandle.start(this.#folder);
    if (id !== this.id) {
      throw embedderUnavailable(
        `The model in ${this.#folder} has changed.`,
        'Start Trellis again, so that all texts are embedded with it.',
      );
    }
    this.#handle = handle;
  }
}

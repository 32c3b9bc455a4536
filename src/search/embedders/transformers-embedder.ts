import { reasonOf } from '../../model/error.js';
import type { Perspective } from '../perspectives.js';
import {
  type Embedder,
  embedderUnavailable,
  normalizeVector,
  sentenceModelWeight,
  type TextKind,
} from './embedder.js';
import { withTaskPrefix } from './task-prefixes.js';

/** The part of `@huggingface/transformers` that is used; the package is not a dependency. */
interface Tensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}
type Extractor = (texts: string[], options: { pooling: 'mean'; normalize: boolean }) => Promise<Tensor>;
interface Transformers {
  pipeline(task: 'feature-extraction', model: string): Promise<Extractor>;
}

const packageName = '@huggingface/transformers';

/** Embeds in this process with `@huggingface/transformers`, if that package is installed. */
export class TransformersEmbedder implements Embedder {
  readonly id: string;
  readonly usesPerspectives = true;
  readonly canShorten = false;
  readonly meaningWeight = sentenceModelWeight;
  readonly batchSize = 16;
  readonly #model: string;
  #extractor: Promise<Extractor> | undefined;
  #dimension: number | undefined;

  constructor(model: string) {
    this.id = `transformers:${model}`;
    this.#model = model;
  }

  async dimension(): Promise<number> {
    if (this.#dimension === undefined) await this.#run(['dimension']);
    return this.#dimension ?? 0;
  }

  async embed(texts: readonly string[], kind: TextKind, perspective: Perspective): Promise<Float32Array[]> {
    return this.#run(texts.map((text) => withTaskPrefix(this.#model, text, kind, perspective)));
  }

  async #run(texts: string[]): Promise<Float32Array[]> {
    this.#extractor ??= this.#load();
    try {
      const extract = await this.#extractor;
      const { dims, data } = await extract(texts, { pooling: 'mean', normalize: true });
      const dimension = dims.at(-1) ?? 0;
      this.#dimension = dimension;
      const numbers = Array.from(data);
      return texts.map((_, at) =>
        normalizeVector(Float32Array.from(numbers.slice(at * dimension, (at + 1) * dimension))),
      );
    } catch (error) {
      this.#extractor = undefined;
      throw error;
    }
  }

  async #load(): Promise<Extractor> {
    let transformers: Transformers;
    try {
      // Not a literal, so that neither the compiler nor a bundler looks for the package.
      const name: string = packageName;
      transformers = await import(name);
    } catch (error) {
      throw embedderUnavailable(
        `The embedder transformers needs the package ${packageName}, which is not installed.`,
        `Install it beside Trellis with: npm install ${packageName}`,
        error,
      );
    }
    try {
      return await transformers.pipeline('feature-extraction', this.#model);
    } catch (error) {
      throw embedderUnavailable(
        `The model ${this.#model} cannot be loaded: ${reasonOf(error)}`,
        'Name a feature-extraction model of the Hugging Face hub, or a folder that holds one.',
        error,
      );
    }
  }
}

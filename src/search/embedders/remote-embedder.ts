import { z } from 'zod';
import { readBytesUpTo } from '../../bounds/read-bytes-up-to.js';
import { retry } from '../../bounds/retry.js';
import { apiUrl } from '../../llm/api-url.js';
import type { Perspective } from '../perspectives.js';
import { CircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.js';
import {
  type Embedder,
  embedderUnavailable,
  normalizeVector,
  type PerspectiveUse,
  sentenceModelWeight,
  type TextKind,
} from './embedder.js';
import { perspectiveUse, withTaskPrefix } from './task-prefixes.js';

export interface RemoteEmbedderOptions {
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** Default: 30,000. */
  readonly timeoutMs?: number;
  /** Default: 2. */
  readonly retries?: number;
  /** The first pause; it doubles with each further retry. Default: 250. */
  readonly backOffMs?: number;
  readonly batchSize?: number;
  readonly breaker?: CircuitBreakerOptions;
}

interface EmbeddingProtocol {
  readonly name: 'ollama' | 'openai';
  readonly path: string;
  body(model: string, texts: readonly string[]): object;
  /** In the order of the texts; throws a ZodError if the response is invalid. */
  vectors(answer: unknown): readonly (readonly number[])[];
}

export const ollamaProtocol: EmbeddingProtocol = {
  name: 'ollama',
  path: 'embed',
  body: (model, input) => ({ model, input, truncate: true }),
  vectors: (answer) => z.object({ embeddings: z.array(z.array(z.number())) }).parse(answer).embeddings,
};

const openaiResponse = z
  .object({ data: z.array(z.object({ index: z.number().optional(), embedding: z.array(z.number()) })) })
  .transform(({ data }) => {
    // Some servers give every vector the index 0, and mean their order.
    const isNumbered = data.some(({ index = 0 }) => index !== 0);
    const items = data.map(({ index, embedding }, at) => ({ at: isNumbered ? index : at, embedding }));
    return items.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  })
  .refine((items) => items.every(({ at }, place) => at === place), {
    error: 'The indexes of the vectors are not those of the texts.',
  });

/** `POST /v1/embeddings`, which OpenAI and many others offer. */
export const openaiProtocol: EmbeddingProtocol = {
  name: 'openai',
  path: 'embeddings',
  body: (model, input) => ({ model, input, encoding_format: 'float' }),
  vectors: (answer) => openaiResponse.parse(answer).map(({ embedding }) => embedding),
};

/** 64 vectors of 8,192 numbers are far below. */
const maxResponseBytes = 64 * 1024 * 1024;

/** Embeds with a model server over HTTP: in batches, with timeouts, retries and a circuit breaker. */
export class RemoteEmbedder implements Embedder {
  readonly id: string;
  readonly perspectives: PerspectiveUse;
  readonly canShorten = false;
  readonly meaningWeight = sentenceModelWeight;
  readonly batchSize: number;
  readonly #protocol: EmbeddingProtocol;
  readonly #options: RemoteEmbedderOptions;
  readonly #breaker: CircuitBreaker;
  #dimension: number | undefined;

  constructor(protocol: EmbeddingProtocol, options: RemoteEmbedderOptions) {
    this.id = `${protocol.name}:${options.model}`;
    this.perspectives = perspectiveUse(options.model);
    this.batchSize = options.batchSize ?? 64;
    this.#protocol = protocol;
    this.#options = options;
    this.#breaker = new CircuitBreaker(options.breaker);
  }

  async dimension(): Promise<number> {
    if (this.#dimension === undefined) await this.#batch(['dimension']);
    return this.#dimension ?? 0;
  }

  async embed(texts: readonly string[], kind: TextKind, perspective: Perspective): Promise<Float32Array[]> {
    const inputs = texts.map((text) => withTaskPrefix(this.#options.model, text, kind, perspective));
    const vectors: Float32Array[] = [];
    for (let at = 0; at < inputs.length; at += this.batchSize) {
      vectors.push(...(await this.#batch(inputs.slice(at, at + this.batchSize))));
    }
    return vectors;
  }

  #batch(inputs: readonly string[]): Promise<Float32Array[]> {
    return this.#breaker.run(this.#where, () => this.#patiently(inputs));
  }

  get #where(): string {
    return `The embedder ${this.id}`;
  }

  async #patiently(inputs: readonly string[]): Promise<Float32Array[]> {
    const { retries = 2, backOffMs = 250 } = this.#options;
    const isTransient = (error: unknown) => error instanceof TransientError;
    const attempt = async () => this.#checked(await this.#ask(inputs), inputs.length);
    try {
      return await retry(attempt, { isTransient, attempts: retries + 1, delayMs: backOffMs });
    } catch (error) {
      throw error instanceof TransientError
        ? embedderUnavailable(error.message, serverDownHint, error)
        : error;
    }
  }

  async #ask(inputs: readonly string[]): Promise<readonly (readonly number[])[]> {
    const { url, model, apiKey, timeoutMs = 30_000 } = this.#options;
    const target = new URL(apiUrl(url, { provider: this.#protocol.name, path: this.#protocol.path }));
    let response: Response;
    let answer: string;
    try {
      response = await fetch(target, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify(this.#protocol.body(model, inputs)),
        signal: AbortSignal.timeout(timeoutMs),
      });
      answer = (await readBytesUpTo(response.body, maxResponseBytes, tooLong)).toString('utf8');
    } catch (error) {
      throw new TransientError(
        `${this.#where} cannot be reached at ${target.origin}: ${failureReason(error)}.`,
        error,
      );
    }
    if (response.ok) return this.#parsed(answer);
    const said = answer.slice(0, 200).trim();
    const reason = `${this.#where} answered ${response.status}${said === '' ? '' : `: ${said}`}.`;
    if (response.status >= 500 || response.status === 429) throw new TransientError(reason);
    throw embedderUnavailable(reason, 'Check the model, the address and the key in the embedding settings.');
  }

  #parsed(answer: string): readonly (readonly number[])[] {
    try {
      return this.#protocol.vectors(JSON.parse(answer));
    } catch (error) {
      throw embedderUnavailable(
        `${this.#where} did not return vectors.`,
        `Check that the URL points to a server with the ${this.#protocol.name} API.`,
        error,
      );
    }
  }

  #checked(vectors: readonly (readonly number[])[], wanted: number): Float32Array[] {
    const dimension = this.#dimension ?? vectors[0]?.length ?? 0;
    const wrong = vectors.find((vector) => vector.length !== dimension);
    if (vectors.some(({ length }) => length === 0))
      throw embedderUnavailable(
        `${this.#where} returned an empty vector.`,
        'Check that the model makes embeddings.',
      );
    if (vectors.length !== wanted || wrong !== undefined) {
      const got = wrong === undefined ? `${vectors.length} vectors` : `a vector of ${wrong.length} numbers`;
      throw embedderUnavailable(
        `${this.#where} returned ${got}; expected ${wanted}${dimension === 0 ? '' : ` of ${dimension} numbers`}.`,
        'A model has one dimension: restart Trellis if the server changed its model.',
      );
    }
    this.#dimension = dimension;
    return vectors.map((vector) => normalizeVector(Float32Array.from(vector)));
  }
}

const serverDownHint = 'Check that the model server is running; pending texts are embedded when it is back.';

/** A failure that a retry may overcome. */
class TransientError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

function tooLong(): Error {
  return new Error(`its answer is longer than ${maxResponseBytes} bytes`);
}

function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

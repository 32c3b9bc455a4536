import { z } from 'zod';
import { apiUrl } from '../../llm/api-url.js';
import { postJson } from '../../llm/post-json.js';
import { type RedactableText, reasonOf } from '../../model/error.js';
import { CircuitBreaker, type CircuitBreakerOptions } from '../embedders/circuit-breaker.js';

/** Scores texts by how well they answer a query. */
export interface Reranker {
  /** How many of the best texts to rerank. */
  readonly candidates: number;
  /** One per text; undefined for a text that was not scored. */
  score(query: string, texts: readonly string[]): Promise<RerankScores>;
}

export type RerankScores =
  | { readonly known: true; readonly scores: readonly (number | undefined)[] }
  | { readonly known: false; readonly reason: RedactableText };

export interface HttpRerankerOptions {
  readonly url: string;
  /** Without one, the server is asked in the form of Text Embeddings Inference, which has a single model. */
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly candidates?: number | undefined;
  readonly breaker?: CircuitBreakerOptions;
}

/** Longer texts are cut: models read a few hundred words, and the request must stay small. */
const maxTextLength = 4_000;

const scoredResponse = z.union([
  z
    .object({ results: z.array(z.object({ index: z.int(), relevance_score: z.number() })) })
    .transform(({ results }) =>
      results.map(({ index, relevance_score }) => ({ index, score: relevance_score })),
    ),
  z.array(z.object({ index: z.int(), score: z.number() })),
]);

/** `POST /rerank` as Cohere, Jina, vLLM, llama.cpp and Text Embeddings Inference offer it. */
export class HttpReranker implements Reranker {
  readonly candidates: number;
  readonly #options: HttpRerankerOptions;
  readonly #target: string;
  readonly #breaker: CircuitBreaker;

  constructor(options: HttpRerankerOptions) {
    this.candidates = options.candidates ?? 50;
    this.#options = options;
    this.#target = rerankUrl(options);
    this.#breaker = new CircuitBreaker(options.breaker);
  }

  async score(query: string, texts: readonly string[]): Promise<RerankScores> {
    try {
      const scores = await this.#breaker.run('The reranker', () => this.#request(query, texts));
      return { known: true, scores };
    } catch (error) {
      return { known: false, reason: notReranked(`${new URL(this.#target).origin}: ${reasonOf(error)}`) };
    }
  }

  async #request(query: string, texts: readonly string[]): Promise<readonly (number | undefined)[]> {
    const { model, apiKey, timeoutMs = 2_000 } = this.#options;
    const documents = texts.map((text) => text.slice(0, maxTextLength).toWellFormed());
    const body =
      model === undefined
        ? { query, texts: documents, truncate: true }
        : { model, query, documents, top_n: documents.length, return_documents: false };
    const response = await postJson({ url: this.#target, apiKey }, body, AbortSignal.timeout(timeoutMs));
    return scoresIn(response, texts.length);
  }
}

/** Refuses the whole response if any part is wrong: the rest cannot be trusted either. */
function scoresIn(response: unknown, count: number): readonly (number | undefined)[] {
  const parsed = scoredResponse.safeParse(response);
  if (!parsed.success) throw new Error('its response is not a list of scores');
  const scores = new Array<number | undefined>(count).fill(undefined);
  for (const { index, score } of parsed.data) {
    if (index < 0 || index >= count) throw new Error(`its response has the index ${index} of ${count} texts`);
    if (scores[index] !== undefined) throw new Error(`its response has the index ${index} twice`);
    scores[index] = score;
  }
  return scores;
}

function rerankUrl({ url, model }: HttpRerankerOptions): string {
  if (model !== undefined) return apiUrl(url, { provider: 'openai', path: 'rerank' });
  const base = url.replace(/\/+$/, '');
  return base.endsWith('/rerank') ? base : `${base}/rerank`;
}

function notReranked(reason: string): RedactableText {
  return {
    message: `The results are not reranked. ${reason}`,
    publicMessage:
      'The results are not reranked: the reranker cannot be reached, or returned an invalid response.',
  };
}

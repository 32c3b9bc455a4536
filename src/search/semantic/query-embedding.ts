import type { Clock } from '../../model/clock.js';
import type { RedactableText } from '../../model/error.js';
import { limits } from '../../model/limits.js';
import { checkText } from '../../model/text.js';
import type { Reader } from '../../store/reader.js';
import type { VectorSpace } from '../../store/vector-store.js';
import { asEmbedderError, type Embedder, withEmbedderTimeout } from '../embedders/embedder.js';
import { type EmbeddingModel, noEmbedder, querySpacesOf } from '../embedding/embedding-spaces.js';

export interface QueryVector {
  readonly perspective: string;
  readonly space: VectorSpace;
  readonly vector: Float32Array;
}

/** The vectors of a query, or why there are none. */
export type QueryEmbedding =
  | {
      readonly known: true;
      readonly vectors: readonly QueryVector[];
      /** What a cosine counts in hybrid search. */
      readonly meaningWeight: number;
      /** Whether some texts may have no vector yet. */
      readonly backlog: boolean;
    }
  | { readonly known: false; readonly reason: RedactableText };

/** Never call this within a read: others may be waiting for it. */
export async function embedQuery(
  { embedder, perspectives, meaningWeight, unavailable = noEmbedder }: EmbeddingModel,
  query: string,
): Promise<QueryEmbedding> {
  checkText(query, 'The query', limits.queryLength);
  if (embedder === null) return { known: false, reason: unavailable };
  try {
    const vectors = await withEmbedderTimeout(vectorsOf({ embedder, perspectives }, query));
    return { known: true, vectors, meaningWeight: meaningWeight ?? embedder.meaningWeight, backlog: false };
  } catch (error) {
    return { known: false, reason: asEmbedderError(error) };
  }
}

async function vectorsOf(embedding: EmbeddingModel<Embedder>, query: string): Promise<QueryVector[]> {
  const spaces = await querySpacesOf(embedding);
  const made = await Promise.all(
    spaces.map(({ perspective }) => embedding.embedder.embed([query], 'query', perspective)),
  );
  return spaces.flatMap(({ perspective, space }, at) => {
    const vector = made[at]?.[0];
    return vector === undefined ? [] : [{ perspective: perspective.name, space, vector }];
  });
}

export interface SearchContext {
  readonly reader: Reader;
  /** Computed before the read: a model server may be slow. */
  readonly queryEmbedding: QueryEmbedding;
  /** What `yesterday` counts from; default: the system's. */
  readonly clock?: Clock;
}

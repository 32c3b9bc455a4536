import { reasonOf } from '../../model/error.js';
import { limits } from '../../model/limits.js';
import { checkText } from '../../model/text.js';
import type { VectorSpace } from '../../store/vector-store.js';
import type { Embedder } from '../embedders/embedder.js';
import { type Embedding, spacesOf } from '../embedding/spaces.js';
import { noEmbedder } from './meaning-hits.js';

/** A query as seen from a perspective. */
export interface QueryVector {
  readonly perspective: string;
  readonly space: VectorSpace;
  readonly vector: Float32Array;
}

/** What a query means, or why nobody can say. */
export type QueryMeaning =
  | {
      readonly known: true;
      readonly vectors: readonly QueryVector[];
      /** Whether texts may be there that have no vector yet. */
      readonly backlog: boolean;
    }
  | { readonly known: false; readonly reason: string };

/** Whoever searches rather has an answer from text than waits longer for a model. */
const patienceMs = 10_000;

/** Asks the embedder what a query means; never within a read, which others may have to wait for. */
export async function meaningOf({ embedder, perspectives }: Embedding, query: string): Promise<QueryMeaning> {
  checkText(query, 'The query', limits.queryLength);
  if (embedder === null) return { known: false, reason: noEmbedder };
  try {
    const vectors = await within(patienceMs, vectorsOf({ embedder, perspectives }, query));
    return { known: true, vectors, backlog: false };
  } catch (error) {
    return { known: false, reason: reasonOf(error) };
  }
}

async function vectorsOf(embedding: Embedding<Embedder>, query: string): Promise<QueryVector[]> {
  const spaces = await spacesOf(embedding);
  const made = await Promise.all(
    spaces.map(({ perspective }) => embedding.embedder.embed([query], 'query', perspective)),
  );
  return spaces.flatMap(({ perspective, space }, at) => {
    const vector = made[at]?.[0];
    return vector === undefined ? [] : [{ perspective: perspective.name, space, vector }];
  });
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const tooLate = () => reject(new Error(`The embedder did not answer within ${ms / 1_000} seconds.`));
    timer = setTimeout(tooLate, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

import type { RedactableText } from '../../model/error.js';
import type { VectorSpace } from '../../store/vector-store.js';
import { asEmbedderError } from '../embedders/embedder-unavailable.js';
import { noEmbedder } from '../semantic/semantic-hits.js';
import { type EmbeddingModel, embeddingSpacesOf } from './embedding-spaces.js';

export type KnownSpaces =
  | { readonly known: true; readonly spaces: readonly VectorSpace[] }
  | { readonly known: false; readonly reason: RedactableText };

/** Without its embedder, not even the dimension of the vectors is known. */
export async function resolveSpaces({ embedder, perspectives }: EmbeddingModel): Promise<KnownSpaces> {
  if (embedder === null) return { known: false, reason: noEmbedder };
  try {
    const spaces = await embeddingSpacesOf({ embedder, perspectives });
    return { known: true, spaces: spaces.map(({ space }) => space) };
  } catch (error) {
    return { known: false, reason: asEmbedderError(error) };
  }
}

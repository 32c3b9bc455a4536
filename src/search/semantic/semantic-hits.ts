import type { RedactableText } from '../../model/error.js';
import type { ObservationHit, SearchHits } from '../search-hits.js';

/** The score is a cosine. */
export interface SemanticHit extends ObservationHit {
  /** Null if it was found by its words. */
  readonly perspective: string | null;
}

export interface SemanticHits extends SearchHits<SemanticHit> {
  /** Why only text search was used. */
  readonly degraded?: RedactableText;
  /** How many observations cannot be found by meaning yet. */
  readonly waiting?: number;
}

export const noEmbedder = publicText('No embedder is configured.');
export const nothingEmbedded = publicText('Nothing is embedded yet.');

function publicText(message: string): RedactableText {
  return { message, publicMessage: message };
}

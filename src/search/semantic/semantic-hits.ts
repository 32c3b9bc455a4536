import type { RedactableText } from '../../model/error.js';
import type { ObservationHit, SearchHits } from '../search-hits.js';

/** A hit by meaning; its score is a cosine. */
export interface SemanticHit extends ObservationHit {
  /** From which perspective it matched; null if it was found by its words. */
  readonly perspective: string | null;
}

/** Hits, best first. */
export interface SemanticHits extends SearchHits<SemanticHit> {
  /** Why this was answered from text alone; absent if it was not. */
  readonly degraded?: RedactableText;
  /** How many observations cannot be found by meaning yet; absent if all can. */
  readonly waiting?: number;
}

export const noEmbedder = publicText('No embedder is configured.');
export const nothingEmbedded = publicText('Nothing is embedded yet.');

function publicText(message: string): RedactableText {
  return { message, publicMessage: message };
}

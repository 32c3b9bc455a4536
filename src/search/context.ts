import type { Reader } from '../store/contract.js';
import type { Embedder } from './embedders/embedder.js';
import type { Perspective } from './perspectives.js';

/** What a search works with. */
export interface SearchContext {
  readonly reader: Reader;
  /** Null: there is none, and everything is answered from text. */
  readonly embedder: Embedder | null;
  readonly perspectives: readonly Perspective[];
}

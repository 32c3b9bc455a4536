import type { Reader } from '../store/reader.js';
import type { QueryEmbedding } from './semantic/query-embedding.js';

/** What a search by meaning works with. */
export interface SearchContext {
  readonly reader: Reader;
  /** Found out before the read began: a model or a server may take its time. */
  readonly queryEmbedding: QueryEmbedding;
}

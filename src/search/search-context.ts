import type { Reader } from '../store/reader.js';
import type { QueryEmbedding } from './semantic/query-embedding.js';

export interface SearchContext {
  readonly reader: Reader;
  /** Computed before the read: a model server may be slow. */
  readonly queryEmbedding: QueryEmbedding;
}

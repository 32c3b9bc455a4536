import { LruCache } from '../../bounds/lru-cache.js';
import type { GraphSchema } from '../graph/graph-schema.js';
import { parseStoredGraphSchema } from '../graph/parse-graph-schema.js';

/** So many are kept, since the same few graphs are asked for again and again. */
const schemas = new LruCache<GraphSchema>(100);

/** The schema of a source; parsed once. */
export function cachedGraphSchema(source: string): GraphSchema {
  return schemas.getOrCreate(source, () => parseStoredGraphSchema(source));
}

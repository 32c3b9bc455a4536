import { LruCache } from '../../bounds/lru-cache.js';
import type { GraphSchema } from '../graph/graph-schema.js';
import { parseStoredGraphSchema } from '../graph/parse-graph-schema.js';

const schemas = new LruCache<GraphSchema>(100);

export function cachedGraphSchema(source: string): GraphSchema {
  return schemas.getOrCreate(source, () => parseStoredGraphSchema(source));
}

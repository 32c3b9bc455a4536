import { LruCache } from '../../bounds/lru-cache.js';
import type { GraphSchema } from '../pg/graph-schema.js';
import { parseStoredSchema } from '../pg/parse-graph-schema.js';

/** So many are kept, since the same few graphs are asked for again and again. */
const schemas = new LruCache<GraphSchema>(100);

/** The schema of a source; parsed once. */
export function schemaOf(source: string): GraphSchema {
  return schemas.getOrCreate(source, () => parseStoredSchema(source));
}

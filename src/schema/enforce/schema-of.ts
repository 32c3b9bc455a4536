import type { GraphSchema } from '../pg/graph-schema.js';
import { parseGraphSchema } from '../pg/parse-graph-schema.js';

/** So many are kept, since the same few graphs are asked for again and again. */
const kept = 100;
const schemas = new Map<string, GraphSchema>();

/** The schema of a source; parsed once. */
export function schemaOf(source: string): GraphSchema {
  const known = schemas.get(source);
  if (known !== undefined) schemas.delete(source);
  const schema = known ?? parseGraphSchema(source);
  schemas.set(source, schema);
  const [oldest] = schemas.keys();
  if (schemas.size > kept && oldest !== undefined) schemas.delete(oldest);
  return schema;
}

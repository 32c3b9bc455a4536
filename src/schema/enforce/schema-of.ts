import { Memo } from '../../bounds/memo.js';
import type { GraphSchema } from '../pg/graph-schema.js';
import { parseStoredSchema } from '../pg/parse-graph-schema.js';

/** So many are kept, since the same few graphs are asked for again and again. */
const schemas = new Memo<GraphSchema>(100);

/** The schema of a source; parsed once. */
export function schemaOf(source: string): GraphSchema {
  return schemas.getOrMake(source, () => parseStoredSchema(source));
}

import { LruCache } from '../../bounds/lru-cache.js';
import type { CompiledGraphSchema } from '../../store/write-validator.js';

const compiled = new LruCache<CompiledGraphSchema>(100);

/** The code is loaded with the first graph that has a schema. */
export async function compileGraphSchema(source: string): Promise<CompiledGraphSchema> {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const { GraphSchemaValidator } = await import('./graph-schema-validator.js');
  const { cachedGraphSchema } = await import('./graph-schema-cache.js');
  const { propertiesToIndex } = await import('./properties-to-index.js');
  const { embeddedProperties } = await import('../graph/embedded-properties.js');
  const schema = cachedGraphSchema(source);
  const fresh: CompiledGraphSchema = {
    newValidator: () => new GraphSchemaValidator(schema),
    async migrateRows(writer, earlier) {
      const { migrateRows } = await import('../apply/migrate-rows.js');
      await migrateRows(writer, cachedGraphSchema(earlier), schema);
    },
    indexedProperties: propertiesToIndex(schema),
    derivedProperties: embeddedProperties(schema),
  };
  compiled.set(source, fresh);
  return fresh;
}

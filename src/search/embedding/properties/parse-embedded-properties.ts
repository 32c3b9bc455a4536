import type { EmbeddedProperty } from '../../../schema/graph/embedded-properties.js';

/** The vector properties with `@embed`; loads the parser only if there is a schema. */
export async function parseEmbeddedProperties(source: string | null): Promise<EmbeddedProperty[]> {
  if (source === null) return [];
  const { cachedGraphSchema } = await import('../../../schema/enforce/graph-schema-cache.js');
  const { embeddedProperties } = await import('../../../schema/graph/embedded-properties.js');
  return embeddedProperties(cachedGraphSchema(source));
}

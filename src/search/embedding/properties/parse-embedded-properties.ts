import type { EmbeddedProperty } from '../../../schema/graph/embedded-properties.js';

/** The vectors that the embedder is to fill by a schema; the language is only loaded where there is one. */
export async function parseEmbeddedProperties(source: string | null): Promise<EmbeddedProperty[]> {
  if (source === null) return [];
  const { cachedGraphSchema } = await import('../../../schema/enforce/graph-schema-cache.js');
  const { embeddedProperties } = await import('../../../schema/graph/embedded-properties.js');
  return embeddedProperties(cachedGraphSchema(source));
}

import type { EmbeddedProperty } from '../../../schema/pg/embedded-properties.js';

/** The vectors that the embedder is to fill by a schema; the language is only loaded where there is one. */
export async function embeddedBy(source: string | null): Promise<EmbeddedProperty[]> {
  if (source === null) return [];
  const { schemaOf } = await import('../../../schema/enforce/schema-of.js');
  const { embeddedProperties } = await import('../../../schema/pg/embedded-properties.js');
  return embeddedProperties(schemaOf(source));
}

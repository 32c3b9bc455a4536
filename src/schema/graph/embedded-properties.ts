import type { GraphSchema, NodeType } from './graph-schema.js';

/** A vector that the embedder makes of a text of the same node. */
export interface EmbeddedProperty {
  readonly type: string;
  readonly property: string;
  /** The property that holds the text. */
  readonly from: string;
  readonly dimension: number;
}

/** The vectors of a type that the embedder fills. */
export function embeddedPropertiesOf({ name: type, properties }: NodeType): EmbeddedProperty[] {
  return [...properties.values()].flatMap(({ name: property, type: value, embedFrom: from }) =>
    from === null || value.kind !== 'vector' ? [] : [{ type, property, from, dimension: value.dimension }],
  );
}

/** Those of a schema. */
export function embeddedProperties({ nodes }: GraphSchema): EmbeddedProperty[] {
  return [...nodes.values()].flatMap(embeddedPropertiesOf);
}

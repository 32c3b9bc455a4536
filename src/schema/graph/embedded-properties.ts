import type { GraphSchema, NodeType } from './graph-schema.js';

/** A vector that the embedder fills from a text of the same node. */
export interface EmbeddedProperty {
  readonly type: string;
  readonly property: string;
  readonly from: string;
  readonly dimension: number;
  /** The only model that may fill it; null: the configured one. */
  readonly model: string | null;
}

export function embeddedPropertyName({ type, property }: EmbeddedProperty): string {
  return `${type}.${property}`;
}

export function embeddedPropertiesOf({ name: type, properties }: NodeType): EmbeddedProperty[] {
  return [...properties.values()].flatMap(
    ({ name: property, type: value, embedFrom: from, embedModel: model }) =>
      from === null || value.kind !== 'vector'
        ? []
        : [{ type, property, from, dimension: value.dimension, model }],
  );
}

export function embeddedProperties({ nodes }: GraphSchema): EmbeddedProperty[] {
  return [...nodes.values()].flatMap(embeddedPropertiesOf);
}

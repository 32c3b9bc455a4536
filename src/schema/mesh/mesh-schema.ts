export const meshPropertyTypes = ['string', 'number', 'integer', 'boolean', 'array'] as const;

export type MeshPropertyType = (typeof meshPropertyTypes)[number];

/** The edge that a property creates, from its node to the one it names. */
export interface MeshRelationship {
  readonly edgeType: string;
  /** The type of the target: shown to agents, not enforced. */
  readonly nodeType?: string;
  readonly description?: string;
}

export interface MeshProperty {
  readonly name: string;
  readonly type: MeshPropertyType;
  readonly description: string;
  readonly required: boolean;
  /** The allowed values; for an array, of its items. */
  readonly enum?: readonly string[];
  readonly relationship?: MeshRelationship;
}

/** A checked `.schema.json` file: one node type. */
export interface MeshSchema {
  /** The name in the file without `add_`. */
  readonly type: string;
  readonly description: string;
  /** In the order of the file; `name` is always among them, and required. */
  readonly properties: readonly MeshProperty[];
  /** Whether undeclared arguments are accepted, as metadata. */
  readonly additionalProperties: boolean;
}

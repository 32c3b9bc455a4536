/** What a property of a `.schema.json` file may be declared as. */
export const meshPropertyTypes = ['string', 'number', 'integer', 'boolean', 'array'] as const;

export type MeshPropertyType = (typeof meshPropertyTypes)[number];

/** The edge that a property makes, from its node to the one it names. */
export interface MeshRelationship {
  readonly edgeType: string;
  /** What kind of node it should lead to: said to agents, not enforced. */
  readonly nodeType?: string;
  readonly description?: string;
}

export interface MeshProperty {
  readonly name: string;
  readonly type: MeshPropertyType;
  readonly description: string;
  readonly required: boolean;
  /** The values allowed; of an array, those of its items. */
  readonly enum?: readonly string[];
  readonly relationship?: MeshRelationship;
}

/** One kind of node as its schema file describes it, checked. */
export interface MeshSchema {
  /** The kind of node: the name in the file without `add_`. */
  readonly type: string;
  readonly description: string;
  /** In the order of the file; `name` is always among them, and required. */
  readonly properties: readonly MeshProperty[];
  /** Whether arguments beyond these are taken, as metadata. */
  readonly additionalProperties: boolean;
}

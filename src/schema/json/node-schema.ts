/** What a property of a `.schema.json` file may be declared as. */
export const propertyTypes = ['string', 'number', 'integer', 'boolean', 'array'] as const;

export type PropertyType = (typeof propertyTypes)[number];

/** The edge that a property makes, from its node to the one it names. */
export interface Relationship {
  readonly edgeType: string;
  /** What kind of node it should lead to: said to agents, not enforced. */
  readonly nodeType?: string;
  readonly description?: string;
}

export interface PropertySchema {
  readonly name: string;
  readonly type: PropertyType;
  readonly description: string;
  readonly required: boolean;
  /** The values allowed; of an array, those of its items. */
  readonly enum?: readonly string[];
  readonly relationship?: Relationship;
}

/** One kind of node as its schema file describes it, checked. */
export interface NodeSchema {
  /** The kind of node: the name in the file without `add_`. */
  readonly type: string;
  readonly description: string;
  /** In the order of the file; `name` is always among them, and required. */
  readonly properties: readonly PropertySchema[];
  /** Whether arguments beyond these are taken, as metadata. */
  readonly additionalProperties: boolean;
}

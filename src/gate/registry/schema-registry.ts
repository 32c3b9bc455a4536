/** What a property can be declared as. */
export const gatePropertyTypes = [
  'string',
  'integer',
  'float',
  'boolean',
  'datetime',
  'list',
  'map',
] as const;
export type PropertyType = (typeof gatePropertyTypes)[number];

/** What the schema says of one label. */
export interface SchemaEntry {
  /** The canonical label, without a colon. */
  readonly label: string;
  readonly required_properties: readonly string[];
  /** Other labels that mean this one. */
  readonly remaps_from: readonly string[];
  /** Properties that are not declared here may hold anything. */
  readonly property_types: Readonly<Record<string, PropertyType>>;
}

/** What the schema says of one type of relationship. */
export interface RelationEntry {
  readonly type: string;
  /** Canonical labels it may start from; empty means any. */
  readonly from_labels: readonly string[];
  /** Canonical labels it may lead to; empty means any. */
  readonly to_labels: readonly string[];
  readonly required_properties: readonly string[];
  readonly property_types: Readonly<Record<string, PropertyType>>;
}

/** What a graph may hold, as it was at one moment. It never changes: a refresh makes another one. */
export interface SchemaRegistry {
  /** One leading colon of a name does not count, here and below. */
  getEntry(label: string): SchemaEntry | undefined;
  allCanonicalLabels(): readonly string[];
  /** The canonical label that absorbs this one. */
  remapTarget(label: string): string | undefined;
  /** Where labels go that nothing absorbs. */
  fallbackLabel(): string | undefined;
  getRelation(type: string): RelationEntry | undefined;
  allRelationTypes(): readonly string[];
}

/** Where a schema is kept. */
export interface RegistrySource {
  /** For people: `the graph work`, a path. */
  readonly name: string;
  /** Throws `SCHEMA_INVALID` if what is there cannot be right, and anything else if it cannot be reached. */
  load(): Promise<SchemaRegistry>;
}

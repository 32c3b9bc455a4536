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

export interface SchemaEntry {
  /** Without a colon. */
  readonly label: string;
  readonly required_properties: readonly string[];
  /** Other labels that mean this one. */
  readonly remaps_from: readonly string[];
  /** Undeclared properties may hold anything. */
  readonly property_types: Readonly<Record<string, PropertyType>>;
}

export interface RelationEntry {
  readonly type: string;
  /** Canonical labels; empty means any. */
  readonly from_labels: readonly string[];
  /** Canonical labels; empty means any. */
  readonly to_labels: readonly string[];
  readonly required_properties: readonly string[];
  readonly property_types: Readonly<Record<string, PropertyType>>;
}

/** Immutable: a refresh creates another one. */
export interface SchemaRegistry {
  /** All methods ignore one leading colon. */
  getEntry(label: string): SchemaEntry | undefined;
  allCanonicalLabels(): readonly string[];
  /** The canonical label that absorbs this one. */
  remapTarget(label: string): string | undefined;
  /** For labels that nothing absorbs. */
  fallbackLabel(): string | undefined;
  getRelation(type: string): RelationEntry | undefined;
  allRelationTypes(): readonly string[];
}

export interface RegistrySource {
  /** For messages: `the graph work`, a path. */
  readonly name: string;
  /** Throws `SCHEMA_INVALID` if the registry is invalid, and anything else if it is unreachable. */
  load(): Promise<SchemaRegistry>;
}

/**
 * A registry as a file, a module or the graph provides it. Written out rather than inferred from its Zod schema, so
 * that users of the library need no other package for its types.
 */
export interface SchemaDocument {
  readonly fallback_label?: string | undefined;
  readonly nodes?: readonly Given<SchemaEntry, 'label'>[] | undefined;
  readonly relationships?: readonly Given<RelationEntry, 'type'>[] | undefined;
}

export interface ValidatedDocument {
  readonly fallback_label?: string | undefined;
  readonly nodes: readonly SchemaEntry[];
  readonly relationships: readonly RelationEntry[];
}

type Given<Entry, Name extends keyof Entry> = Pick<Entry, Name> & {
  readonly [Key in Exclude<keyof Entry, Name>]?: Entry[Key] | undefined;
};

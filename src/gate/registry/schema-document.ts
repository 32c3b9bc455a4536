import type { RelationEntry, SchemaEntry } from './schema-registry.js';

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

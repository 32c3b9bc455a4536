import type { RelationEntry, SchemaEntry } from './schema-registry.js';

/**
 * A schema as a file, a module or the graph gives it; what is left out is empty. Written out rather than inferred from
 * its parser, so that whoever uses the library needs no other package for its types.
 */
export interface SchemaDocument {
  readonly fallback_label?: string | undefined;
  readonly nodes?: readonly Given<SchemaEntry, 'label'>[] | undefined;
  readonly relationships?: readonly Given<RelationEntry, 'type'>[] | undefined;
}

/** A document that was found sound, with everything in its place. */
export interface ValidatedDocument {
  readonly fallback_label?: string | undefined;
  readonly nodes: readonly SchemaEntry[];
  readonly relationships: readonly RelationEntry[];
}

type Given<Entry, Name extends keyof Entry> = Pick<Entry, Name> & {
  readonly [Key in Exclude<keyof Entry, Name>]?: Entry[Key] | undefined;
};

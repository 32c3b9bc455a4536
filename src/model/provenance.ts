import type { Props } from './json.js';
import type { ValueType } from './value-type.js';

/** Where a fact came from, and how far it can be trusted. */
export interface Provenance {
  readonly source?: string;
  readonly extraction_method?: string;
  readonly confidence?: number;
  readonly write_gate_version?: string;
  readonly last_updated?: string;
  readonly _schema_remap_from?: string;
  /** The names of nodes or the ids of commits that it was derived from. */
  readonly derived_from?: readonly string[];
  /** The other sources that gave the same value, if the formula takes evidence. */
  readonly confirmed_by?: readonly string[];
  /** The names of the patterns by which its text looks like instructions to a model. */
  readonly suspicious?: readonly string[];
  /** By property, the provenance of the write that last set it. */
  readonly properties?: Readonly<Record<string, Provenance>>;
  /** The properties that form the node's key; the string surfaces hide them. */
  readonly merge_keys?: readonly string[];
}

const text: ValueType = { kind: 'scalar', scalar: 'String', nullable: true };

/** The provenance fields that queries can read. */
export const stampFields = {
  source: text,
  extraction_method: text,
  confidence: { kind: 'scalar', scalar: 'F64', nullable: true },
  write_gate_version: text,
  last_updated: { kind: 'scalar', scalar: 'DateTime', nullable: true },
  _schema_remap_from: text,
  derived_from: { kind: 'list', of: 'String', nullable: true },
} as const satisfies Readonly<Record<string, ValueType>>;

export type StampField = keyof typeof stampFields;

export function isStampField(name: string): name is StampField {
  return Object.hasOwn(stampFields, name);
}

export const stampFieldNames: readonly StampField[] = Object.keys(stampFields).filter(isStampField);

export interface PropsWithProvenance {
  readonly props: Props;
  readonly provenance: Provenance | null;
}

/** Drops the provenance of properties that no longer exist. */
export function pruneProvenance({ props, provenance }: PropsWithProvenance): Provenance | null {
  if (provenance?.properties === undefined) return provenance;
  const { properties, ...rest } = provenance;
  const kept = Object.entries(properties).filter(([key]) => Object.hasOwn(props, key));
  return kept.length === 0 ? rest : { ...rest, properties: Object.fromEntries(kept) };
}

/** A new stamp over what still holds of an earlier one. */
export function overlayProvenance(below: Provenance | null, above: Provenance): Provenance {
  const properties = { ...below?.properties, ...above.properties };
  const keys = above.merge_keys ?? below?.merge_keys;
  const { properties: _, merge_keys: __, ...stamp } = above;
  return {
    ...stamp,
    ...(keys === undefined ? {} : { merge_keys: keys }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}

/**
 * A property named like a stamped field. Without a schema a query could only read the stamp, so such names are refused.
 */
export function findStampCollision(props: Props, provenance: Provenance | null): StampField | undefined {
  if (provenance === null) return undefined;
  return stampFieldNames.find((field) => provenance[field] !== undefined && (props[field] ?? null) !== null);
}

/** The provenance that still holds with these properties: that of a changed property goes. */
export function retainProvenance(before: PropsWithProvenance, props: Props): Provenance | null {
  if (before.provenance?.properties === undefined) return before.provenance;
  const { properties, ...rest } = before.provenance;
  const valueIn = (all: Props, key: string) =>
    Object.hasOwn(all, key) ? JSON.stringify(all[key]) : undefined;
  const kept = Object.entries(properties).filter(([key]) => {
    const value = valueIn(props, key);
    return value !== undefined && value === valueIn(before.props, key);
  });
  return kept.length === 0 ? rest : { ...rest, properties: Object.fromEntries(kept) };
}

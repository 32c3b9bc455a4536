import type { Props } from './json.js';
import type { ValueType } from './value-type.js';

/** Where a fact came from and how far it can be trusted, as stamped by whoever let it in. */
export interface Provenance {
  readonly source?: string;
  readonly extraction_method?: string;
  readonly confidence?: number;
  readonly write_gate_version?: string;
  readonly last_updated?: string;
  readonly _schema_remap_from?: string;
  /** By property, the provenance of the write that last set it. */
  readonly properties?: Readonly<Record<string, Provenance>>;
  /** The properties that are the key of the thing; the string surfaces do not show them. */
  readonly merge_keys?: readonly string[];
}

const text: ValueType = { kind: 'scalar', scalar: 'String', nullable: true };

/** What a stamp says, under the names that queries read it by. */
export const stampFields = {
  source: text,
  extraction_method: text,
  confidence: { kind: 'scalar', scalar: 'F64', nullable: true },
  write_gate_version: text,
  last_updated: { kind: 'scalar', scalar: 'DateTime', nullable: true },
  _schema_remap_from: text,
} as const satisfies Readonly<Record<string, ValueType>>;

export type StampField = keyof typeof stampFields;

export function isStampField(name: string): name is StampField {
  return Object.hasOwn(stampFields, name);
}

export const stampFieldNames: readonly StampField[] = Object.keys(stampFields).filter(isStampField);

/** A thing with properties, and where they came from. */
export interface PropsWithProvenance {
  readonly props: Props;
  readonly provenance: Provenance | null;
}

/** What is true of its provenance: nothing is said of properties that it has not. */
export function pruneProvenance({ props, provenance }: PropsWithProvenance): Provenance | null {
  if (provenance?.properties === undefined) return provenance;
  const { properties, ...rest } = provenance;
  const kept = Object.entries(properties).filter(([key]) => Object.hasOwn(props, key));
  return kept.length === 0 ? rest : { ...rest, properties: Object.fromEntries(kept) };
}

/** A given provenance put over what is still true of an earlier one; it is the newer stamp. */
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
 * A property whose name is that of a field that is stamped already. Without a schema only the stamp could be read of the
 * two, so nothing may be called like that.
 */
export function findStampCollision(props: Props, provenance: Provenance | null): StampField | undefined {
  if (provenance === null) return undefined;
  return stampFieldNames.find((field) => provenance[field] !== undefined && (props[field] ?? null) !== null);
}

/** What is still true of a thing's provenance when it gets these properties: that of a property goes with its value. */
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

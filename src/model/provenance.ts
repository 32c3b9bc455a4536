import type { Props } from './json.js';

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

/** A thing with properties, and where they came from. */
export interface Described {
  readonly props: Props;
  readonly provenance: Provenance | null;
}

/** What is still true of a thing's provenance when it gets these properties: that of a property goes with its value. */
export function provenanceWith(before: Described, props: Props): Provenance | null {
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

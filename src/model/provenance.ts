/** Where a fact came from and how far it can be trusted, as stamped by whoever let it in. */
export interface Provenance {
  readonly source?: string;
  readonly extraction_method?: string;
  readonly confidence?: number;
  readonly write_gate_version?: string;
  readonly last_updated?: string;
  readonly _schema_remap_from?: string;
  /** Of what the gate wrote: where each property came from. */
  readonly properties?: Readonly<Record<string, Provenance>>;
  /** Which properties are the key of the node, and so its name already. */
  readonly merge_keys?: readonly string[];
}

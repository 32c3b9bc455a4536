/** Where a fact came from and how far it can be trusted, as stamped by whoever let it in. */
export interface Provenance {
  readonly source?: string;
  readonly extraction_method?: string;
  readonly confidence?: number;
  readonly write_gate_version?: string;
  readonly last_updated?: string;
  readonly _schema_remap_from?: string;
}

/** What becomes of a label that is neither registered nor absorbed: it is written under the fallback label, or refused. */
export const unknownLabelPolicies = ['remap', 'reject'] as const;
export type UnknownLabelPolicy = (typeof unknownLabelPolicies)[number];

/** What becomes of a value that would replace one of higher confidence: written and reported, refused, or left out. */
export const conflictPolicies = ['warn', 'reject', 'keep'] as const;
export type ConflictPolicy = (typeof conflictPolicies)[number];

/** The `gate:` block of the configuration. Whatever is left out takes the default. */
export interface GateSettings {
  /** `graph` (default), `schema`, a YAML or JSON file, or a module. */
  readonly registry?: string | undefined;
  /** Default: `remap`. `WRITE_GATE_UNKNOWN_LABEL_POLICY` wins over the file: the configuration has settled that already. */
  readonly unknown_label_policy?: UnknownLabelPolicy | undefined;
  /** Wins over the fallback label that the schema itself names. */
  readonly fallback_label?: string | undefined;
  /** `default`, `flat`, `admiralty`, `stix`, or a module. */
  readonly formula?: string | undefined;
  /** Default: `warn`. */
  readonly conflicts?: ConflictPolicy | undefined;
  /** The file given with `--gate-schema`; wins over `registry`. */
  readonly schemaFile?: string | undefined;
}

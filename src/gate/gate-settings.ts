import type { TrustRule } from './review/trust-rules.js';

export const registryKeywords = ['graph', 'schema'] as const;
export const formulaKeywords = ['default', 'flat', 'admiralty', 'stix', 'decay', 'corroborate'] as const;

/** A label that is neither registered nor absorbed is written under the fallback label, or rejected. */
export const unknownLabelPolicies = ['remap', 'reject'] as const;
export type UnknownLabelPolicy = (typeof unknownLabelPolicies)[number];

/** A value that would replace one of higher confidence is written with a warning, rejected, or left out. */
export const conflictPolicies = ['warn', 'reject', 'keep'] as const;
export type ConflictPolicy = (typeof conflictPolicies)[number];

/** Text that looks like instructions to a model is written, written with a flag, or held for review. */
export const suspiciousTextPolicies = ['off', 'flag', 'hold'] as const;
export type SuspiciousTextPolicy = (typeof suspiciousTextPolicies)[number];

export interface GateAuth {
  readonly user: string;
  /** The environment variable that holds the password. */
  readonly password_env: string;
}

/** The block `gate:` of the configuration. */
export interface GateSettings {
  /** `graph` (default), `schema`, a YAML or JSON file, or a module. */
  readonly registry?: string | undefined;
  /** Default: `remap`. `WRITE_GATE_UNKNOWN_LABEL_POLICY` takes precedence over the file. */
  readonly unknown_label_policy?: UnknownLabelPolicy | undefined;
  /** Takes precedence over the fallback label of the registry. */
  readonly fallback_label?: string | undefined;
  /** `default`, `flat`, `admiralty`, `stix`, `decay`, `corroborate`, or a module. */
  readonly formula?: string | undefined;
  /** Default: `warn`. */
  readonly conflicts?: ConflictPolicy | undefined;
  /** What is held on a branch for review; default: nothing. */
  readonly trust?: readonly TrustRule[] | undefined;
  /** Default: `off`. Reads warn of such text unless it is `off`. */
  readonly suspicious_text?: SuspiciousTextPolicy | undefined;
  /** The URL of a graph database to write to; default: the graph itself. */
  readonly target?: string | undefined;
  /** The database or graph at the target; default: the one that its server chooses. */
  readonly database?: string | undefined;
  /** Who connects to the target; default: `TRELLIS_GATE_USER` and `TRELLIS_GATE_PASSWORD`, else nobody. */
  readonly auth?: GateAuth | undefined;
  /** From `--gate-schema`; takes precedence over `registry`. */
  readonly schemaFile?: string | undefined;
}

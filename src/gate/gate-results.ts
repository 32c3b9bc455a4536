import { TrellisError } from '../model/error.js';
import type { ResolvedName } from './check/resolved-name.js';
import type { Keys, SimilarNode } from './gate-target.js';
import type { ConfidenceConflict } from './merge-properties.js';

/** A write that was turned away; nothing of it was stored. */
export interface RejectedAnswer {
  readonly status: 'rejected';
  readonly error_code: string;
  /** What is wrong and what to do. */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface WriteResult {
  readonly status: 'written';
  /** Whether it is new; if not, it was there and has been written over. */
  readonly created: boolean;
  readonly confidence: number;
  readonly write_gate_version: string;
  /** Left out if there are none. */
  readonly conflicts?: readonly ConfidenceConflict[];
}

/** What a label was taken for; left out as far as it was registered. */
interface Remapping {
  readonly remapped_from?: string;
  readonly suggested_label?: string;
}

export interface NodeWritten extends WriteResult, Remapping {
  readonly label: string;
  readonly merge_keys: Keys;
  /** Left out if there are none. */
  readonly similar?: readonly SimilarNode[];
}

export interface WrittenEndpoint extends Remapping {
  readonly label: string;
  readonly keys: Keys;
  readonly stub_created?: true;
}

export interface RelationshipWritten extends WriteResult {
  readonly type: string;
  readonly from: WrittenEndpoint;
  readonly to: WrittenEndpoint;
}

export interface SchemaRefreshed {
  /** How many labels. */
  readonly loaded: number;
  readonly relationship_types: number;
  readonly labels: readonly string[];
  readonly relationship_type_names: readonly string[];
}

export function rejectedAnswer({ code, message, hint, details }: TrellisError): RejectedAnswer {
  return {
    status: 'rejected',
    error_code: code,
    message: hint === undefined ? message : `${message} ${hint}`,
    details: details ?? {},
  };
}

/** What an answer says of a label: as the agent sent it, only if it was remapped. */
export function remappingOf({ remapped, given, suggested }: ResolvedName): Remapping {
  return {
    ...(remapped ? { remapped_from: given } : {}),
    ...(remapped && suggested !== undefined ? { suggested_label: suggested } : {}),
  };
}

/** The label the checks have found; that they did is why a write gets this far. */
export function requireCanonical({ canonical, given }: ResolvedName): string {
  if (canonical === undefined) throw new TrellisError('INTERNAL', `The label ${given} was never checked.`);
  return canonical;
}

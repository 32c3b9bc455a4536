import { TrellisError } from '../model/error.js';
import type { ResolvedName } from './check/resolved-name.js';
import type { Keys, SimilarNode } from './gate-target.js';
import type { ConfidenceConflict } from './merge-properties.js';
import type { HoldReason } from './review/trust-rules.js';

export interface RejectedAnswer {
  readonly status: 'rejected';
  readonly error_code: string;
  /** What is wrong and what to do. */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface HeldPlacement {
  readonly status: 'held';
  /** Where it waits for review. */
  readonly branch: string;
  /** Left out if it changed nothing there. */
  readonly commit_id?: string;
  readonly reason: HoldReason;
  /** Set if the branch lacks newer commits of the target. */
  readonly behind?: true;
  /** Why it is held, and how it gets in. */
  readonly message: string;
}

/** Where a write went. */
export type Placement = { readonly status: 'written' } | HeldPlacement;

interface WriteResult {
  /** False if it existed and was updated. */
  readonly created: boolean;
  readonly confidence: number;
  readonly write_gate_version: string;
  readonly conflicts?: readonly ConfidenceConflict[];
  /** About text that looks like instructions to a model. */
  readonly warnings?: readonly string[];
}

/** Left out for registered labels. */
interface Remapping {
  readonly remapped_from?: string;
  readonly suggested_label?: string;
}

interface NodeResult extends WriteResult, Remapping {
  readonly label: string;
  readonly merge_keys: Keys;
  readonly similar?: readonly SimilarNode[];
}

export type NodeWritten = NodeResult & Placement;

export interface WrittenEndpoint extends Remapping {
  readonly label: string;
  readonly keys: Keys;
  readonly stub_created?: true;
}

interface RelationshipResult extends WriteResult {
  readonly type: string;
  readonly from: WrittenEndpoint;
  readonly to: WrittenEndpoint;
}

export type RelationshipWritten = RelationshipResult & Placement;

export interface SchemaRefreshed {
  /** The number of labels. */
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

export function remappingOf({ remapped, given, suggested }: ResolvedName): Remapping {
  return {
    ...(remapped ? { remapped_from: given } : {}),
    ...(remapped && suggested !== undefined ? { suggested_label: suggested } : {}),
  };
}

export function requireCanonical({ canonical, given }: ResolvedName): string {
  if (canonical === undefined) throw new TrellisError('INTERNAL', `The label ${given} was never checked.`);
  return canonical;
}

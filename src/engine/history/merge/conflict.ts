import { TrellisError } from '../../../model/error.js';
import type { Json } from '../../../model/json.js';
import type { Node } from '../../../model/node.js';
import type { ViolatingEdge, Violation } from '../../../model/violation.js';

/** The last three are found by a graph schema. */
type ConflictKind =
  /** Both created the same thing with different values. */
  | 'divergent_insert'
  /** Both changed the same property to different values. */
  | 'divergent_update'
  /** One removed what the other changed. */
  | 'delete_vs_update'
  /** One added an edge to a node that the other removed. */
  | 'orphan_edge'
  | 'unique_violation'
  | 'cardinality_violation'
  | 'value_constraint_violation';

export interface Conflict {
  readonly kind: ConflictKind;
  /** What a resolution names: `node/person/Ada`, `edge/Ada/knows/Grace`. */
  readonly id: string;
  /** `summary`, `props.age`, `observations.3`, `weight`; left out for the whole node or edge. */
  readonly property?: string;
  /** The value in the merge base; each side is left out where it has none. */
  readonly base?: Json;
  readonly ours?: Json;
  readonly theirs?: Json;
  /** Why the result violates the schema, and how to fix it; such a conflict has no sides. */
  readonly message?: string;
}

export type ResolutionSide = 'source' | 'target';

/** Without a property, it applies to every conflict of that id. */
export interface Resolution {
  readonly id: string;
  readonly property?: string | undefined;
  readonly take: ResolutionSide;
}

/** A value in the merge base, on the target (`ours`) and on the source (`theirs`). */
export interface Sides<T> {
  readonly base: T;
  readonly ours: T;
  readonly theirs: T;
}

export function nodeConflictId({ type, name }: Pick<Node, 'type' | 'name'>): string {
  return ['node', type, name].map(encodeURIComponent).join('/');
}

/** Edges between namesakes share an id; a resolution applies to both. */
export function edgeConflictId({ fromName, type, toName, key }: ViolatingEdge): string {
  const parts = ['edge', fromName, type, toName, ...(key === '' ? [] : [key])];
  return parts.map(encodeURIComponent).join('/');
}

export function conflictFromViolation({ kind, node, edge, property, message, hint }: Violation): Conflict {
  return {
    kind: kind === 'value' ? 'value_constraint_violation' : `${kind}_violation`,
    id: node !== undefined ? nodeConflictId(node) : edge !== undefined ? edgeConflictId(edge) : '',
    ...(property === undefined ? {} : { property: `props.${property}` }),
    message: `${message} ${hint}`,
  };
}

/** Schema violations have no sides to take. */
export function areResolvable(conflicts: readonly { readonly message?: string | undefined }[]): boolean {
  return conflicts.every(({ message }) => message === undefined);
}

export function schemaConflictHint(source: string, target: string): string {
  return (
    `Nothing was merged. Together, the branches violate the schema of ${target}. Taking a side does not help: ` +
    `fix one of the branches as each conflict says, then merge again. If ${target} has a newer schema, merge ${target} into ${source} first.`
  );
}

export class MergeConflictError extends TrellisError {
  readonly conflicts: readonly Conflict[];

  constructor(source: string, target: string, conflicts: readonly Conflict[]) {
    const what = conflicts.length === 1 ? 'there is a conflict' : `there are ${conflicts.length} conflicts`;
    super('MERGE_CONFLICT', `${source} cannot be merged into ${target}: ${what}.`, {
      hint: areResolvable(conflicts)
        ? 'Merge again with a resolution for each: its id, the property if it has one, and which side to take, source or target.'
        : schemaConflictHint(source, target),
      details: { source, target, conflicts },
      withoutRead: {
        message: `${source} cannot be merged into ${target}: ${what}.`,
        hint: `Nothing was merged. You need read access to ${source} and ${target} to see the conflicts.`,
      },
    });
    this.conflicts = conflicts;
  }
}

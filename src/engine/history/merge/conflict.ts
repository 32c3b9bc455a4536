import { TrellisError } from '../../../model/error.js';
import type { Json } from '../../../model/json.js';
import type { Node } from '../../../model/node.js';
import type { ViolatingEdge, Violation } from '../../../model/violation.js';

/** Ways in which two branches can contradict each other; the last three are found by a schema. */
export type ConflictKind =
  /** Both made the same thing, with different values. */
  | 'divergent_insert'
  /** Both changed the same property, to different values. */
  | 'divergent_update'
  /** One removed what the other changed. */
  | 'delete_vs_update'
  /** One made an edge to a node that the other removed. */
  | 'orphan_edge'
  | 'unique_violation'
  | 'cardinality_violation'
  | 'value_constraint_violation';

/** Something that two branches say differently, and a person has to decide. */
export interface Conflict {
  readonly kind: ConflictKind;
  /** What a resolution names: `node/person/Ada`, `edge/Ada/knows/Grace`. */
  readonly id: string;
  /** `summary`, `props.age`, `observations.3`, `weight`; left out, the whole node or edge is meant. */
  readonly property?: string;
  /** What it was when the branches parted; left out here and below where it is not there. */
  readonly base?: Json;
  /** What the target says. */
  readonly ours?: Json;
  /** What the source says. */
  readonly theirs?: Json;
  /** What the schema has against the result, and how to mend it; there are no sides to take then. */
  readonly message?: string;
}

/** Whose word counts. */
export type ResolutionSide = 'source' | 'target';

/** A decision about a conflict; without a property, about every one of that id. */
export interface Resolution {
  readonly id: string;
  readonly property?: string | undefined;
  readonly take: ResolutionSide;
}

/** One thing as it was when the branches parted, and as the target (`ours`) and the source (`theirs`) have it. */
export interface Sides<T> {
  readonly base: T;
  readonly ours: T;
  readonly theirs: T;
}

export function nodeConflictId({ type, name }: Pick<Node, 'type' | 'name'>): string {
  return ['node', type, name].map(encodeURIComponent).join('/');
}

/** Edges between namesakes share one; a resolution then holds for both. */
export function edgeConflictId({ fromName, type, toName, key }: ViolatingEdge): string {
  const parts = ['edge', fromName, type, toName, ...(key === '' ? [] : [key])];
  return parts.map(encodeURIComponent).join('/');
}

/** What a schema has against the result of a merge. */
export function conflictFromViolation({ kind, node, edge, property, message, hint }: Violation): Conflict {
  return {
    kind: kind === 'value' ? 'value_constraint_violation' : `${kind}_violation`,
    id: node !== undefined ? nodeConflictId(node) : edge !== undefined ? edgeConflictId(edge) : '',
    ...(property === undefined ? {} : { property: `props.${property}` }),
    message: `${message} ${hint}`,
  };
}

/** Whether a side can be taken in every one of these; of what a schema forbids in the result, none can. */
export function areResolvable(conflicts: readonly Conflict[]): boolean {
  return conflicts.every(({ message }) => message === undefined);
}

/** What to do about what a schema has against the result of a merge. */
export function schemaConflictHint(source: string, target: string): string {
  return (
    `Nothing was merged. Both branches together do not fit the schema of ${target}, and taking a side does not change that: ` +
    `mend it on one of them, as each conflict says, and merge again. If ${target} has a newer schema, merge ${target} into ${source} first.`
  );
}

/** A merge that was refused, and why. */
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
        hint: `Nothing was merged. The conflicts are only shown to whoever may read both ${source} and ${target}.`,
      },
    });
    this.conflicts = conflicts;
  }
}

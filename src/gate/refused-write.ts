/** A write that did not reach the target, for counting. */
export interface RefusedWrite {
  readonly outcome: 'rejected' | 'held';
  readonly actor: string;
  /** A registered label or relationship type, or `otherLabel`. */
  readonly label: string;
  /** An error code, or why it is held. */
  readonly reason: string;
}

/** Instead of a name that is not registered: agents must not fill metrics with names. */
export const otherLabel = 'other';

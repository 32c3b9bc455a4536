/** Which state of a graph to look at: the head of a branch, or the branch as it was at a commit. */
export interface ViewTarget {
  readonly graph: string;
  /** Default: `main`. */
  readonly branch?: string | undefined;
  /** A commit id; default: the head. */
  readonly commit?: string | undefined;
}

/** Where a write goes. */
export interface WriteTarget {
  readonly graph: string;
  /** Default: `main`. */
  readonly branch?: string | undefined;
}

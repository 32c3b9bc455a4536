/** A namespace of nodes and edges; a workspace is the same thing under its other name. */
export interface GraphRecord {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
}

/** The id of a branch is never reused, although its name may be. */
export interface Branch {
  readonly id: number;
  readonly name: string;
  readonly parent: number | null;
  /** The seq of the parent's head when this branch was made: what it inherits ends there. */
  readonly forkSeq: number;
  /** The seq of this branch's newest commit, or its fork point while it has none. */
  readonly headSeq: number;
  /** The id of that commit; null while there is none. */
  readonly headCommit: string | null;
  /** The seq of the commit that set the schema in force at its head; null if there is none. */
  readonly schemaSeq: number | null;
  readonly createdAt: number;
}

export const mainBranch = 'main';
export const defaultGraph = 'default';

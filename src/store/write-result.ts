import type { ChangeCounts, Commit } from '../model/commit.js';

/** What is known of a commit before it is made: of a merge or a copied commit. It is recorded even if it changes nothing. */
export interface CommitOverrides {
  readonly id?: string;
  readonly time?: number;
  readonly mergedParent?: string | null;
  /** Default: counted. */
  readonly counts?: ChangeCounts;
}

/** `commit` is null if the write changed nothing. */
export interface WriteResult<T> {
  readonly result: T;
  readonly commit: Commit | null;
}

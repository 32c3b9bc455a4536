import type { ChangeCounts, Commit } from '../model/commit.js';

/** What is known of a commit before it is made: a merge, or one brought from elsewhere. It is recorded even if it changes nothing. */
export interface CommitOverrides {
  /** Left out, a new one. */
  readonly id?: string;
  /** Left out, now. */
  readonly time?: number;
  readonly mergedParent?: string | null;
  /** Left out, what the write changes here is counted. */
  readonly counts?: ChangeCounts;
}

/** What a write left behind: its result, and its commit unless it changed nothing. */
export interface WriteResult<T> {
  readonly result: T;
  readonly commit: Commit | null;
}

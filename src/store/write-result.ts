import type { ChangeCounts, Commit } from '../model/commit.js';
import type { Writer } from './writer.js';

/** What is known of a commit before it is made: of a merge or a copied commit. It is recorded even if it changes nothing. */
export interface CommitOverrides {
  readonly id?: string;
  readonly time?: number;
  readonly mergedParent?: string | null;
  /** Default: counted. */
  readonly counts?: ChangeCounts;
}

/** A large write that was planned on an earlier state. */
export interface PlannedWrite<T> {
  /**
   * Throws if others have changed what the plan depends on since. Returns whether they have changed anything else. A store may
   * do the work first: `work` must depend on nothing that this does not check.
   */
  check(writer: Writer): Promise<boolean>;
  work(writer: Writer): Promise<T>;
}

export interface PlannedWriteResult<T> extends WriteResult<T> {
  /** What `check` returned. */
  readonly isMoved: boolean;
}

/** `commit` is null if the write changed nothing. */
export interface WriteResult<T> {
  readonly result: T;
  readonly commit: Commit | null;
}

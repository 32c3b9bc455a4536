import type { Author } from '../../model/commit.js';
import type { WriteTarget } from '../graph-targets.js';
import {
  type CommittedWrite,
  type LockedBranch,
  lockedAfter,
  lockForWrite,
  type WriteContext,
  writeCommit,
} from '../sql/write/write-commit.js';
import type { CommitOverrides } from '../write-result.js';
import type { Writer } from '../writer.js';

/** The lock of a branch that the writes of a transaction share: each starts from what the one before it left. */
export class BranchLock {
  /** Undefined if the branch has to be looked at again. */
  #locked: LockedBranch | undefined;

  private constructor(locked: LockedBranch) {
    this.#locked = locked;
  }

  static async take(context: WriteContext, target: WriteTarget, writes: number): Promise<BranchLock> {
    return new BranchLock(await lockForWrite(context, target, writes));
  }

  async write<T>(
    context: WriteContext,
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitOverrides,
  ): Promise<CommittedWrite<T>> {
    const written = await writeCommit(context, target, author, work, stamp, this.#locked);
    const { commit } = written;
    if (commit !== null && this.#locked !== undefined)
      this.#locked = commit.setsSchema ? undefined : lockedAfter(this.#locked, commit);
    return written;
  }
}

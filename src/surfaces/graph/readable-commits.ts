import { type Commit, unknownBranch } from '../../model/commit.js';
import type { CallContext } from '../call-context.js';

/** Merged and inherited commits were made on other branches, which the caller may not be allowed to read. */
export function mayReadCommit({ may }: Pick<CallContext, 'may'>, { branch }: Commit): boolean {
  return may([{ action: 'read', branch }]);
}

/** Lists show who made such a commit and when, but neither its branch nor anything that its author wrote. */
export function hideOrigin(call: Pick<CallContext, 'may'>): (commit: Commit) => Commit {
  return (commit) =>
    mayReadCommit(call, commit) ? commit : { ...commit, branch: unknownBranch, message: undefined };
}

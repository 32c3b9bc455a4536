import type { Commit } from '../../model/commit.js';
import type { CallContext } from '../call-context.js';

/** Merged and inherited commits were made on other branches, which the caller may not be allowed to read. */
export function mayReadCommit({ may }: Pick<CallContext, 'may'>, { branch }: Commit): boolean {
  return may([{ action: 'read', branch }]);
}

/** Lists show who made such a commit and when, but nothing that its author wrote. */
export function hideMessage(call: Pick<CallContext, 'may'>): (commit: Commit) => Commit {
  return (commit) => (mayReadCommit(call, commit) ? commit : { ...commit, message: undefined });
}

import { TrellisError } from '../../model/error.js';
import type { Branch } from '../../model/graph-record.js';
import type { CallContext } from '../call-context.js';
import { unknownTool } from '../dispatch.js';

/** Makes a branch that is not there, if it is said what from and the caller may; answers the one it made. */
export async function ensureBranch(
  { history, may }: CallContext,
  branch: string,
  from: string | undefined,
): Promise<Branch | undefined> {
  const names = (await history.branches()).map(({ name }) => name);
  if (names.includes(branch)) return undefined;
  if (from === undefined) {
    throw new TrellisError('BRANCH_NOT_FOUND', `There is no branch named ${JSON.stringify(branch)}.`, {
      hint: 'Create it with branches_create, or pass from to create it from another branch.',
      details: { branch },
    });
  }
  const needed = [
    { action: 'branch_create', branch },
    { action: 'read', branch: from },
  ] as const;
  // Denied like any other call, before it is looked whether there is such a branch to start from.
  if (!may(needed)) throw unknownTool('ingest');
  return history.createBranch(branch, from);
}

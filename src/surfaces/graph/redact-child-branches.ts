import { errorCodes, TrellisError } from '../../model/error.js';
import type { CallContext } from '../call-context.js';

/** For work that may delete a branch: names its child branches only to callers who may read all of them. */
export async function redactChildBranches<T>(
  { may }: Pick<CallContext, 'may'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isInUse = error instanceof TrellisError && error.code === 'BRANCH_IN_USE';
    const children = isInUse ? error.details?.['children'] : undefined;
    if (!Array.isArray(children)) throw error;
    if (may(children.map((branch) => ({ action: 'read' as const, branch: String(branch) })))) throw error;
    throw new TrellisError('BRANCH_IN_USE', errorCodes.BRANCH_IN_USE, { cause: error });
  }
}

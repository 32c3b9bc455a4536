import { asTrellisError } from '../../model/error.js';
import type { Branch } from '../../model/graph-record.js';
import type { Store } from '../../store/store-contract.js';

/** Deletes a branch created for a write that failed, unless somebody has used it since. Returns whether it did. */
export async function discardBranch(store: Store, graph: string, made: Branch): Promise<boolean> {
  try {
    await store.deleteBranch(graph, made.name, made);
    return true;
  } catch (error) {
    const { code } = asTrellisError(error);
    if (code !== 'BRANCH_IN_USE' && code !== 'BRANCH_NOT_FOUND') throw error;
    return false;
  }
}

import { asTrellisError, TrellisError } from '../../model/error.js';
import { type Branch, branchHasChildren } from '../../model/graph-record.js';
import type { Store } from '../../store/store-contract.js';
import { requireBranch } from './resolve-ref.js';

export interface BranchSummary {
  readonly name: string;
  /** Null for `main`. */
  readonly parent: string | null;
  /** Its newest commit, which may be its parent's; null while there is none. */
  readonly head: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export async function listBranches(store: Store, graph: string): Promise<BranchSummary[]> {
  const branches = await store.branches(graph);
  const nameOf = new Map(branches.map(({ id, name }) => [id, name]));
  return branches.map(({ name, parent, headCommit: head, createdAt }) => {
    return { name, parent: parent === null ? null : (nameOf.get(parent) ?? null), head, createdAt };
  });
}

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

/** Throws before a merge starts, if its source could not be deleted afterwards. */
export async function requireDeletable(
  store: Store,
  graph: string,
  name: string,
  target: string,
): Promise<void> {
  const branch = await requireBranch(store, graph, name);
  if (name === target) {
    throw new TrellisError('INVALID_ARGUMENT', `${name} cannot be merged into itself and then deleted.`, {
      hint: 'Name another branch as the source.',
    });
  }
  if (branch.parent === null) {
    throw new TrellisError('BRANCH_IN_USE', `${name} cannot be deleted: every graph needs it.`, {
      hint: 'Merge it without deleting it.',
      details: { branch: name },
    });
  }
  const children = (await store.branches(graph)).filter(({ parent }) => parent === branch.id);
  if (children.length === 0) return;
  const names = children.map((child) => child.name);
  throw branchHasChildren(name, names, 'Merge it without deleting it, or delete those first.');
}

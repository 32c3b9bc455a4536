import { TrellisError } from '../../model/error.js';
import { branchHasChildren } from '../../model/graph-record.js';
import type { Store } from '../../store/store-contract.js';
import { requireBranch } from './resolve-ref.js';

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
    throw new TrellisError('BRANCH_IN_USE', `${name} is never deleted: every graph has it.`, {
      hint: 'Merge it without deleting it.',
      details: { branch: name },
    });
  }
  const children = (await store.branches(graph)).filter(({ parent }) => parent === branch.id);
  if (children.length === 0) return;
  const names = children.map((child) => child.name);
  throw branchHasChildren(name, names, 'Merge it without deleting it, or delete those first.');
}

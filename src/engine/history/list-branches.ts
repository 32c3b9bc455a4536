import type { Branch } from '../../model/graph-record.js';
import type { Store } from '../../store/store-contract.js';

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
  return branches.map((branch) => summarise(branch, nameOf));
}

function summarise(
  { name, parent, headCommit, createdAt }: Branch,
  nameOf: ReadonlyMap<number, string>,
): BranchSummary {
  return {
    name,
    parent: parent === null ? null : (nameOf.get(parent) ?? null),
    head: headCommit,
    createdAt,
  };
}

import type { Commit } from '../../../model/commit.js';
import type { WriteTarget } from '../../graph-targets.js';
import type { Dialect } from '../dialect.js';
import type { GraphCatalog } from '../graph-catalog.js';

const defaultPageSize = 100;

/** A page of a branch's history, newest first; see `Store.commits`. */
export async function branchHistory(
  catalog: GraphCatalog,
  dialect: Dialect,
  target: WriteTarget,
  { before, limit = defaultPageSize }: { readonly before?: number | undefined; readonly limit?: number },
): Promise<Commit[]> {
  const { branch } = await catalog.branch(target);
  return (await catalog.log(target.graph)).history(dialect, branch, before, limit);
}

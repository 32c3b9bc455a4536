import type { Commit } from '../../../model/commit.js';
import type { WriteTarget } from '../../targets.js';
import type { Catalog } from '../catalog.js';
import type { Dialect } from '../dialect.js';

const defaultPage = 100;

/** A page of a branch's history, newest first; see `Store.commits`. */
export async function history(
  catalog: Catalog,
  dialect: Dialect,
  target: WriteTarget,
  { before, limit = defaultPage }: { readonly before?: number | undefined; readonly limit?: number },
): Promise<Commit[]> {
  const { branch } = await catalog.branch(target);
  return (await catalog.log(target.graph)).history(dialect, branch, before, limit);
}

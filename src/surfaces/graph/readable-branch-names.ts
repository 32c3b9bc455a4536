import type { CallContext } from '../call-context.js';

/** The branches that the caller may read, sorted: to others, they are not there. */
export async function readableBranchNames({
  history,
  may,
}: Pick<CallContext, 'history' | 'may'>): Promise<string[]> {
  const names = (await history.branches()).map(({ name }) => name);
  return names.filter((branch) => may([{ action: 'read', branch }])).sort();
}

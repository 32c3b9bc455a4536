import type { Call } from '../call.js';

/** The branches that the caller may read, sorted: to others, they are not there. */
export async function branchNames({ history, may }: Pick<Call, 'history' | 'may'>): Promise<string[]> {
  const names = (await history.branches()).map(({ name }) => name);
  return names.filter((branch) => may([{ action: 'read', branch }])).sort();
}

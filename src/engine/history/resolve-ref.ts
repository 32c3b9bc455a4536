import { commitNotFound } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { type Branch, branchNotFound } from '../../model/graph-record.js';
import type { Reader } from '../../store/reader.js';
import type { Store } from '../../store/store-contract.js';

/**
 * A branch name means its head, anything else is a commit id. Null for a branch without commits.
 *
 * @param mayRead Other branches and their commits do not exist.
 */
export async function resolveRef(
  store: Store,
  graph: string,
  ref: string,
  mayRead: (branch: string) => boolean = () => true,
): Promise<string | null> {
  const branch = (await store.branches(graph)).find(({ name }) => name === ref && mayRead(name));
  if (branch !== undefined) return branch.headCommit;
  try {
    const commit = await store.commit(graph, ref);
    if (!mayRead(commit.branch)) throw commitNotFound(ref);
    return commit.id;
  } catch (error) {
    if (!(error instanceof TrellisError && error.code === 'COMMIT_NOT_FOUND')) throw error;
    throw new TrellisError(
      'COMMIT_NOT_FOUND',
      `Graph ${JSON.stringify(graph)} has neither a branch nor a commit ${JSON.stringify(ref)}.`,
      { hint: 'List them with: trellis branch list, trellis log', details: { graph, ref } },
    );
  }
}

export async function requireBranch(store: Store, graph: string, name: string): Promise<Branch> {
  const branches = await store.branches(graph);
  const branch = branches.find((candidate) => candidate.name === name);
  if (branch !== undefined) return branch;
  throw branchNotFound(
    graph,
    name,
    branches.map((candidate) => candidate.name),
  );
}

/**
 * Throws if gc has begun to drop one of these commits. Asked after their states were read: a write need not have a snapshot,
 * and commits are marked before their rows go.
 */
export async function requireUncollected(reader: Reader, commits: readonly (string | null)[]): Promise<void> {
  for (const commit of commits) await reader.at(commit);
}

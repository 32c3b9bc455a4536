import type { GraphApi } from '../../api/graph-api.js';
import type { Changes, Commit, EdgeChange, NodeChange } from '../../api/types.js';

const mostCommits = 1_000;

/** What a branch changed since it and the target were the same. */
export async function branchChanges(
  api: GraphApi,
  source: string,
  target: string,
  signal: AbortSignal,
): Promise<Changes> {
  const [ours, theirs] = await Promise.all(
    [target, source].map((branch) => api.commits({ branch, limit: mostCommits }, signal)),
  );
  const base = newestShared(ours?.commits ?? [], theirs?.commits ?? []);
  const { changes } = await api.getPlain<{ readonly changes: Changes }>(
    ['diff'],
    { from: base ?? target, to: source },
    signal,
  );
  return changes;
}

type CommitRef = Pick<Commit, 'commit_id'>;

/** Of two histories, newest first. */
export function newestShared(ours: readonly CommitRef[], theirs: readonly CommitRef[]): string | undefined {
  const known = new Set(ours.map(({ commit_id }) => commit_id));
  return theirs.find(({ commit_id }) => known.has(commit_id))?.commit_id;
}

/** The same ids as conflicts have. */
export function nodeId({ type, name }: Pick<NodeChange, 'type' | 'name'>): string {
  return ['node', type, name].map(encodeURIComponent).join('/');
}

export function edgeId({ from, type, to, key }: Pick<EdgeChange, 'from' | 'type' | 'to' | 'key'>): string {
  const parts = ['edge', from, type, to, ...(key === undefined || key === '' ? [] : [key])];
  return parts.map(encodeURIComponent).join('/');
}

export function idsOf({ nodes, edges }: Changes): readonly string[] {
  return [...nodes.map(nodeId), ...edges.map(edgeId)];
}

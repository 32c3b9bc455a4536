import type { Commit } from '../../model/commit.js';
import type { Store } from '../../store/store.js';
import { compare } from './compare.js';
import type { GraphDiff } from './graph-diff.js';

/** A commit and what it changed, row by row, against its parent. */
export interface CommitWithChanges {
  readonly commit: Commit;
  readonly changes: GraphDiff;
}

/** The commit of that id with what it changed. */
export async function showCommit(store: Store, graph: string, id: string): Promise<CommitWithChanges> {
  const commit = await store.commit(graph, id);
  const touched = await store.touchedBy(graph, commit);
  const changes = await store.read({ graph, commit: id }, async (after) =>
    compare(await after.at(commit.parent), after, touched),
  );
  return { commit, changes };
}

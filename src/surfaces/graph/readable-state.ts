import type { Permission } from '../../access/permission.js';
import { commitNotFound } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import type { BoundGraph, CallContext } from '../call-context.js';

/** Which state is to be read: a branch as it is now, or what a commit left. */
export interface StateRequest {
  readonly branch?: string | undefined;
  readonly snapshot?: string | undefined;
}

export interface ReadableState {
  readonly graph: BoundGraph;
  readonly snapshot: string | undefined;
  /** As answers say it. */
  readonly target: { readonly branch: string | null; readonly snapshot: string | null };
}

/**
 * The state that a call means. Which branch a snapshot is of only the commit says; to whoever lacks what is needed there,
 * there is no such commit.
 */
export async function resolveReadableState(
  { graph, history, may }: CallContext,
  { branch, snapshot }: StateRequest,
  needed: (branch: string) => readonly Permission[],
): Promise<ReadableState> {
  if (snapshot === undefined) {
    const name = branch ?? graph.branch;
    return { graph: graph.on(name), snapshot, target: { branch: name, snapshot: null } };
  }
  if (branch !== undefined) {
    throw new TrellisError('INVALID_ARGUMENT', 'A read takes a branch or a snapshot, not both.', {
      hint: 'Leave one of them out.',
    });
  }
  const commit = await history.commit(snapshot);
  if (!may(needed(commit.branch))) throw commitNotFound(snapshot);
  return { graph, snapshot: commit.id, target: { branch: null, snapshot: commit.id } };
}

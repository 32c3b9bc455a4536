import { atLeastOne, type Permission } from '../../access/permission.js';
import { commitNotFound } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import type { BoundGraph, CallContext } from '../call-context.js';

/** A branch as it is now, or a commit. */
export interface StateRequest {
  readonly branch?: string | undefined;
  readonly snapshot?: string | undefined;
}

export interface ReadableState {
  readonly graph: BoundGraph;
  readonly snapshot: string | undefined;
  /** As results show it. */
  readonly target: { readonly branch: string | null; readonly snapshot: string | null };
}

/**
 * Only the commit says which branch a snapshot is of; without the permissions there, it does not exist for the caller.
 */
export async function resolveReadableState(
  { graph, history, may }: CallContext,
  { branch, snapshot }: StateRequest,
  needed: (branch: string) => readonly Permission[] = (name) => [{ action: 'read', branch: name }],
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

export function readPermissions(args?: StateRequest): readonly Permission[] {
  const isKnown = args !== undefined && args.snapshot === undefined;
  return [{ action: 'read', branch: isKnown ? args.branch : atLeastOne }];
}

import { decodeNumbersCursor, encodeNumbersCursor } from '../../engine/read/cursors.js';
import { type Commit, commitNotFound } from '../../model/commit.js';
import { limits } from '../../model/limits.js';
import {
  type DescribedDiffWithSchema,
  describeDiffWithSchema,
} from '../../schema/apply/describe-diff-with-schema.js';
import type { CallContext } from '../call-context.js';
import { jsonTextAsync } from '../json-text.js';
import { mayReadCommit } from './readable-commits.js';

/** Of nodes and edges that the commit touched. */
export const maxChangesLimit = 10_000;
/** A result is indented, and takes more. */
const maxLength = limits.answerLength / 2;

interface ChangesRequest {
  readonly commit_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

interface ChangesOfCommit {
  readonly commit: Commit;
  readonly changes: DescribedDiffWithSchema;
  readonly nextCursor: string | undefined;
}

/** A page of the changes of one commit, with fewer of them if they would not fit. */
export async function readChangesPage(
  call: CallContext,
  { commit_id: id, limit = maxChangesLimit, cursor }: ChangesRequest,
): Promise<ChangesOfCommit> {
  // Only the commit says which branch it is on; without read there, it does not exist for the caller.
  const commit = await call.history.commit(id);
  if (!mayReadCommit(call, commit)) throw commitNotFound(id);
  const list = `changes of ${id}`.replaceAll(' ', '_');
  const [offset = 0] = cursor === undefined ? [] : decodeNumbersCursor(list, 1, cursor);
  for (let size = limit; ; size = Math.max(1, Math.floor(size / 4))) {
    const page = await call.history.changesPage(commit, { offset, limit: size });
    const changes = await describeDiffWithSchema(page.changes);
    if (size > 1 && (await jsonTextAsync(changes)).length > maxLength) continue;
    const nextCursor = page.next === undefined ? undefined : encodeNumbersCursor(list, [page.next]);
    return { commit, changes, nextCursor };
  }
}

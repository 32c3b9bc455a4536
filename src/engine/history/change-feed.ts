import type { Commit } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import type { Branch } from '../../model/graph-record.js';
import type { Store } from '../../store/store-contract.js';
import { invalidCursor, isCursorNumber, splitCursor } from '../read/cursors.js';

export interface FeedRequest {
  readonly graph: string;
  readonly branch: string;
  /** A cursor, the id of a commit, or `now`; default: the beginning. */
  readonly since?: string | undefined;
  readonly limit: number;
}

export interface FeedEntry {
  readonly commit: Commit;
  /** Points behind the commit. */
  readonly cursor: string;
}

export interface FeedPage {
  /** The cursor to start from. */
  readonly start: string;
  readonly entries: readonly FeedEntry[];
  readonly hasMore: boolean;
}

/** Behind a commit of a branch. */
interface FeedPosition {
  readonly graph: number;
  readonly branch: number;
  /** Zero before the first commit. */
  readonly seq: number;
  /** The end of the commit's id: in a restored store, another commit may have its seq. */
  readonly tag: string;
}

const list = 'changes';
/** A ULID; cursors have lower-case letters. */
const commitForm = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const restart = 'Leave since out to start from the beginning, or pass now to start from here.';

/**
 * The commits of a branch in their order, a merge as one. A branch takes one write at a time, and a write takes its seq
 * while it has the branch, so no commit becomes visible before an earlier one of the same branch.
 */
export async function readFeed(store: Store, { since, limit, ...target }: FeedRequest): Promise<FeedPage> {
  if (since === 'now') {
    const { graph, branch } = await store.commitsOnBranch(target, Number.MAX_SAFE_INTEGER, 1);
    return { start: encode(headOf(graph, branch)), entries: [], hasMore: false };
  }
  const isCommit = since !== undefined && commitForm.test(since);
  const position =
    since === undefined || isCommit ? await baseline(store, target.graph, since) : decode(since);
  // The commit at the cursor, as many as asked for, and one that tells whether there are more.
  const found = await store.commitsOnBranch(target, position.seq, limit + 2);
  const { graph, branch } = found;
  const start = { graph, branch: branch.id, ...position };
  const [known] = found.commits;
  if (isCommit && !isAt(start, known))
    throw unusable(`The history of the branch ${JSON.stringify(branch.name)} has no commit ${since}.`);
  checkPosition(start, graph, branch, known);
  const commits = start.seq === 0 ? found.commits : found.commits.slice(1);
  return {
    start: encode(start),
    entries: commits.slice(0, limit).map((commit) => ({
      commit,
      cursor: encode({ graph, branch: branch.id, seq: commit.seq, tag: tagOf(commit.id) }),
    })),
    hasMore: commits.length > limit,
  };
}

/** Behind a commit, on whichever branch is asked for; before the first without one. */
async function baseline(
  store: Store,
  graph: string,
  id: string | undefined,
): Promise<Pick<FeedPosition, 'seq' | 'tag'>> {
  if (id === undefined) return { seq: 0, tag: '' };
  // A commit of another branch is refused in the same words, whether it exists or not.
  const commit = await store.commit(graph, id).catch(() => undefined);
  return { seq: commit?.seq ?? Number.MAX_SAFE_INTEGER, tag: tagOf(id) };
}

function checkPosition(at: FeedPosition, graph: number, branch: Branch, known: Commit | undefined): void {
  if (at.graph !== graph) throw unusable('The cursor belongs to another graph.');
  if (at.branch !== branch.id)
    throw unusable('The cursor belongs to another branch, or to a deleted one of the same name.');
  if (at.seq > 0 && !isAt(at, known))
    throw unusable(
      'The cursor points behind a commit that is not there: the store was restored, or is a replica that is behind.',
    );
}

function isAt({ seq, tag }: FeedPosition, known: Commit | undefined): boolean {
  return known?.seq === seq && tagOf(known.id) === tag;
}

function headOf(graph: number, { id, headSeq, headCommit }: Branch): FeedPosition {
  const place = { graph, branch: id };
  return headCommit === null
    ? { ...place, seq: 0, tag: '' }
    : { ...place, seq: headSeq, tag: tagOf(headCommit) };
}

function tagOf(commit: string): string {
  return commit.slice(-8);
}

function encode({ graph, branch, seq, tag }: FeedPosition): string {
  return Buffer.from([list, graph, branch, seq, tag].join(' ')).toString('base64url');
}

function decode(cursor: string): FeedPosition {
  const [found, graph = '', branch = '', seq = '', tag = ''] = splitCursor(cursor);
  if (found === list && [graph, branch, seq].every(isCursorNumber)) {
    const position = { graph: Number(graph), branch: Number(branch), seq: Number(seq), tag };
    // Only what was issued: nothing after it, no other spelling of it.
    if (encode(position) === cursor) return position;
  }
  throw invalidCursor(`Pass a cursor of this feed unchanged. ${restart}`);
}

function unusable(message: string): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', message, { hint: restart });
}

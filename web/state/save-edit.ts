import { api, type GraphApi } from '../api/graph-api.js';
import { ApiError } from '../api/request.js';
import { noteChange } from './live.js';
import { say, sayError } from './toasts.js';

/** `changed`: somebody else was faster, and nothing was written. */
export type SaveOutcome = 'saved' | 'changed' | 'failed';

/** One operation of the route `edit`; `if_commit` is the last commit of the node as the reader saw it. */
export interface EditOperation {
  readonly op: string;
  readonly name?: string;
  readonly type: string;
  readonly if_commit?: string | undefined;
  readonly [detail: string]: unknown;
}

/** What this page made of a node's commits, so that two edits in a row do not look like somebody else's. */
const ownCommits = new WeakMap<GraphApi, Map<string, string>>();

/** Makes one commit of an operation, says so, and offers to undo it. */
export async function saveEdit(operation: EditOperation, done: string): Promise<SaveOutcome> {
  const graph = api.value;
  const own = ownCommits.get(graph) ?? new Map<string, string>();
  ownCommits.set(graph, own);
  const keyOf = (commit: string) => JSON.stringify([operation.type, operation.name, commit]);
  let ifCommit = operation.if_commit;
  while (ifCommit !== undefined && own.has(keyOf(ifCommit))) ifCommit = own.get(keyOf(ifCommit));
  try {
    const { commit, warnings = [] } = await graph.edit([{ ...operation, if_commit: ifCommit }]);
    if (ifCommit !== undefined && commit) own.set(keyOf(ifCommit), commit.commit_id);
    say([done, ...warnings].join(' '), { undoes: commit?.commit_id });
    noteChange();
    return 'saved';
  } catch (error) {
    if (error instanceof ApiError && error.code === 'CHANGED_SINCE') {
      noteChange();
      return 'changed';
    }
    sayError(error);
    return 'failed';
  }
}

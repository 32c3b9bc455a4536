import { api } from '../api/graph-api.js';
import { ApiError } from '../api/request.js';
import { noteChange } from './live.js';
import { say, sayError } from './toasts.js';

/** `changed`: somebody else was faster, and nothing was written. */
export type SaveOutcome = 'saved' | 'changed' | 'failed';

/** Makes one commit of some operations, says so, and offers to undo it. */
export async function saveEdit(operations: readonly object[], done: string): Promise<SaveOutcome> {
  try {
    const { commit, warnings = [] } = await api.value.edit(operations);
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

import { type Conflict, MergeConflictError } from '../../engine/history/merge/conflict.js';
import type { TrellisError } from '../../model/error.js';
import { limits } from '../../model/limits.js';
import { errorText } from '../dispatch.js';
import type { ToolFailure } from '../surface.js';
import { jsonText } from '../tool.js';

interface ListedConflicts {
  readonly conflicts: readonly Conflict[];
  /** How many more there are. */
  readonly more?: number;
}

/** Conflicts of a merge, and what a write found changed, also as data to copy from. */
export function graphToolFailure(error: TrellisError): ToolFailure {
  const listed = error.code === 'HEAD_MOVED' ? error.details : listConflicts(error);
  return { text: [errorText(error), ...(listed === undefined ? [] : [jsonText(listed)])] };
}

/** As many as fit into one result; whoever resolves those sees the next. */
export function listConflicts(error: TrellisError): ListedConflicts | undefined {
  if (!(error instanceof MergeConflictError)) return undefined;
  const { conflicts } = error;
  const shown: Conflict[] = [];
  let length = 0;
  for (const conflict of conflicts) {
    length += JSON.stringify(conflict).length;
    // Indented JSON takes up to twice the space.
    if (length > limits.answerLength / 2 && shown.length > 0) break;
    shown.push(conflict);
  }
  const more = conflicts.length - shown.length;
  return { conflicts: shown, ...(more === 0 ? {} : { more }) };
}

import type { z } from 'zod';
import { atLeastOne } from '../../access/permission.js';
import { TrellisError } from '../../model/error.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { changesInput, entriesOutput, readEntries, readEntryOf } from './graph-change-entries.js';
import { commitId } from './graph-shapes.js';

const input = changesInput.extend({
  commit_id: commitId('Only the changes of this commit, in pages: pass the cursor as since').optional(),
});

export const graphCommitsChanges = defineTool({
  name: 'commits_changes',
  argumentAliases: { commitId: 'commit_id', cursor: 'since' },
  title: 'List changes',
  description:
    'List the commits of a branch with their changes, oldest first, after a cursor. ' +
    'To follow a branch, pass the cursor of each response as since in the next call: every commit comes once, in order. changes_poll also waits for new ones.',
  input,
  output: entriesOutput,
  annotations: reads,
  action: (args?: z.output<typeof input>) => [
    { action: 'read', branch: args === undefined || args.commit_id !== undefined ? atLeastOne : args.branch },
  ],
  async run(call, { commit_id, ...request }) {
    if (commit_id === undefined) return readEntries(call, request);
    if (request.branch === undefined) return readEntryOf(call, { ...request, commit_id });
    throw new TrellisError('INVALID_ARGUMENT', 'commits_changes takes a branch or a commit, not both.', {
      hint: 'Leave one of them out.',
    });
  },
});

import { z } from 'zod';
import { atLeastOne } from '../../access/permission.js';
import { cursorInput, nextCursorOutput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { changesOutput } from './graph-changes-shapes.js';
import { maxChangesLimit, readChangesPage } from './graph-commit-changes-page.js';
import { commitId, commitOutput, toCommitOutput } from './graph-shapes.js';

export const graphCommitsGet = defineTool({
  name: 'commits_get',
  argumentAliases: { commitId: 'commit_id' },
  title: 'Get a commit',
  description:
    'Get a commit and its changes: the nodes and edges that were added or removed, the properties that changed with their values before and after, and how the schema changed.',
  input: z.object({
    commit_id: commitId('The id of a commit, from commits_list'),
    limit: z
      .int()
      .min(1)
      .max(maxChangesLimit)
      .optional()
      .describe('At most this many changes; default: as many as fit'),
    cursor: cursorInput,
  }),
  output: commitOutput.extend({ changes: changesOutput, nextCursor: nextCursorOutput }),
  annotations: reads,
  action: () => [{ action: 'read', branch: atLeastOne }],
  async run(call, args) {
    const { commit, changes, nextCursor } = await readChangesPage(call, args);
    return { ...toCommitOutput(commit), changes, ...(nextCursor === undefined ? {} : { nextCursor }) };
  },
});

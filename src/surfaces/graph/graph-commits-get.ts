import { z } from 'zod';
import { atLeastOne } from '../../access/permission.js';
import { commitNotFound } from '../../model/commit.js';
import { describeDiffWithSchema } from '../../schema/apply/describe-diff-with-schema.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { changesOutput, maxTouched } from './graph-changes-shapes.js';
import { commitId, commitOutput, toCommitOutput } from './graph-shapes.js';
import { mayReadCommit } from './readable-commits.js';

export const graphCommitsGet = defineTool({
  name: 'commits_get',
  title: 'Get a commit',
  description:
    'Get a commit and its changes: the nodes and edges that were added or removed, the properties that changed with their values before and after, and how the schema changed.',
  input: z.object({ commit_id: commitId('The id of a commit, from commits_list') }),
  output: commitOutput.extend({ changes: changesOutput }),
  annotations: reads,
  action: () => [{ action: 'read', branch: atLeastOne }],
  async run(call, { commit_id }) {
    // Only the commit says which branch it is on; without read there, it does not exist for the caller.
    if (!mayReadCommit(call, await call.history.commit(commit_id))) throw commitNotFound(commit_id);
    const { commit, changes } = await call.history.show(commit_id, maxTouched);
    return { ...toCommitOutput(commit), changes: await describeDiffWithSchema(changes) };
  },
});

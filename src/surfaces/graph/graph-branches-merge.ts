import { z } from 'zod';
import { atLeastOne, type Permission } from '../../access/permission.js';
import { MergeConflictError } from '../../engine/history/merge/conflict.js';
import { limits } from '../../model/limits.js';
import { defineTool } from '../tool.js';
import { changes } from '../tool-annotations.js';
import {
  branchInput,
  branchName,
  ifCommitInput,
  messageInput,
  optionalReceipt,
  receiptOutput,
} from './graph-shapes.js';
import { redactChildBranches } from './redact-child-branches.js';

export const mergeOutcomes = ['already_up_to_date', 'fast_forward', 'merged'] as const;

export const mergeInput = z.object({
  source: branchName('The branch to merge'),
  target: branchInput('The branch to merge into'),
  delete_branch: z.boolean().optional().describe('Delete the source once it is merged; default: false'),
  dry_run: z.boolean().optional().describe('Report the outcome without changing anything; default: false'),
  take: z
    .array(z.string().max(limits.textLength))
    .max(limits.batchItems)
    .optional()
    .describe(
      'Merge only these changes, by id as in conflicts: node/TYPE/NAME or edge/FROM/TYPE/TO; default: all',
    ),
  if_commit: ifCommitInput,
  message: messageInput,
  resolutions: z
    .array(
      z.object({
        id: z.string().max(limits.textLength).describe('The id of a conflict'),
        property: z
          .string()
          .max(limits.textLength)
          .optional()
          .describe('The property; if left out, all conflicts of that id are resolved'),
        take: z.enum(['source', 'target']).describe('Which side wins'),
      }),
    )
    .max(limits.batchItems)
    .optional()
    .describe('Resolutions of conflicts that an earlier call listed'),
});

export const graphBranchesMerge = defineTool({
  name: 'branches_merge',
  title: 'Merge a branch',
  description:
    'Merge the changes of one branch into another: as one commit, or not at all. ' +
    'Changes to different properties of one node are merged; different values for the same property are a conflict. ' +
    'If there are conflicts, nothing is merged and the error lists them: call again with a resolution for each. ' +
    'Conflicts with the schema of the target cannot be resolved this way: fix them on one of the branches, then merge.',
  input: mergeInput,
  output: z.object({
    source: z.string(),
    target: z.string(),
    outcome: z.enum(mergeOutcomes),
    commit_id: z.string().optional().describe('The commit on the target; absent if none was made'),
    graph_commit_id: z.string().optional(),
    commit: receiptOutput.optional(),
    branch_deleted: z.boolean(),
  }),
  annotations: changes,
  action: mergePermissions,
  async run(
    call,
    { source, target = call.graph.branch, delete_branch, dry_run, if_commit, message, ...choice },
  ) {
    const { history, may } = call.withMessage(message);
    const request = {
      source,
      target,
      ...choice,
      ifCommit: if_commit,
      dryRun: dry_run,
      deleteSource: delete_branch,
    };
    const { outcome, commit, conflicts, sourceDeleted } = await redactChildBranches({ may }, () =>
      history.merge(request),
    );
    if (conflicts.length > 0) throw new MergeConflictError(source, target, conflicts);
    return {
      ...{ source, target, outcome },
      ...optionalReceipt(commit),
      branch_deleted: sourceDeleted,
    };
  },
});

function mergePermissions(args?: z.output<typeof mergeInput>): readonly Permission[] {
  if (args === undefined) {
    return [
      { action: 'branch_merge', branch: atLeastOne },
      { action: 'read', branch: atLeastOne },
    ];
  }
  const { source, target, delete_branch } = args;
  return [
    { action: 'branch_merge', branch: target },
    { action: 'read', branch: source },
    ...(delete_branch === true ? [{ action: 'branch_delete', branch: source } as const] : []),
  ];
}

import { z } from 'zod';
import { atLeastOne, type Permission } from '../../access/permission.js';
import { MergeConflictError } from '../../engine/history/merge/conflict.js';
import { limits } from '../../model/limits.js';
import { defineTool } from '../tool.js';
import { changes } from '../tool-annotations.js';
import { branchInput, branchName } from './graph-shapes.js';
import { redactChildBranches } from './redact-child-branches.js';

const input = z.object({
  source: branchName('The branch whose changes are wanted'),
  target: branchInput('The branch that gets them'),
  delete_branch: z.boolean().optional().describe('Delete the source once it is merged; default: false'),
  dry_run: z.boolean().optional().describe('Say what would come of it, and change nothing; default: false'),
  resolutions: z
    .array(
      z.object({
        id: z.string().max(limits.textLength).describe('The id of a conflict'),
        property: z
          .string()
          .max(limits.textLength)
          .optional()
          .describe('Its property; left out, every conflict of that id is decided'),
        take: z.enum(['source', 'target']).describe('Whose word counts'),
      }),
    )
    .max(limits.batchItems)
    .optional()
    .describe('Decisions about conflicts that an earlier call has listed'),
});

export const graphBranchesMerge = defineTool({
  name: 'branches_merge',
  title: 'Merge a branch',
  description:
    'Bring what one branch has changed since the two parted into another: as one commit, or not at all. ' +
    'Different properties of one node do not get in each other’s way; the same one changed to different values is a conflict. ' +
    'If there are conflicts, nothing is merged and the error lists them: call again with a resolution for each. ' +
    'What only the schema of the target forbids cannot be resolved so: mend it on one of the branches, then merge.',
  input,
  output: z.object({
    source: z.string(),
    target: z.string(),
    outcome: z.enum(['already_up_to_date', 'fast_forward', 'merged']),
    commit_id: z.string().optional().describe('The commit on the target; absent if none was made'),
    branch_deleted: z.boolean(),
  }),
  annotations: changes,
  action: mergePermissions,
  async run({ graph, history, may }, { source, target = graph.branch, delete_branch, dry_run, resolutions }) {
    const wish = { source, target, resolutions, dryRun: dry_run, deleteSource: delete_branch };
    const { outcome, commit, conflicts, sourceDeleted } = await redactChildBranches({ may }, () =>
      history.merge(wish),
    );
    if (conflicts.length > 0) throw new MergeConflictError(source, target, conflicts);
    return {
      ...{ source, target, outcome },
      ...(commit === null ? {} : { commit_id: commit.id }),
      branch_deleted: sourceDeleted,
    };
  },
});

function mergePermissions(args?: z.output<typeof input>): readonly Permission[] {
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

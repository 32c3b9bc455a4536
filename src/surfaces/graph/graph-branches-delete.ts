import { z } from 'zod';
import { defineTool } from '../tool.js';
import { changes } from '../tool-annotations.js';
import { branchName, branchPermission } from './graph-shapes.js';
import { redactChildBranches } from './redact-child-branches.js';

const input = z.object({ name: branchName('The branch to delete') });

export const graphBranchesDelete = defineTool({
  name: 'branches_delete',
  title: 'Delete a branch',
  description:
    'Delete a branch with all unmerged writes. main and branches that others were forked from cannot be deleted.',
  input,
  output: z.object({ name: z.string() }),
  annotations: changes,
  action: branchPermission<z.output<typeof input>>('branch_delete', ({ name }) => name),
  async run({ history, may }, { name }) {
    await redactChildBranches({ may }, () => history.deleteBranch(name));
    return { name };
  },
});

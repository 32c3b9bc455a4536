import { z } from 'zod';
import type { GraphHistory } from '../../engine/history/graph-history.js';
import { asTrellisError } from '../../model/error.js';
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
  output: z.object({ name: z.string(), deleted: z.boolean().describe('False if there was no such branch') }),
  annotations: changes,
  action: branchPermission<z.output<typeof input>>('branch_delete', ({ name }) => name),
  async run({ history, may }, { name }) {
    return { name, deleted: await redactChildBranches({ may }, () => deleteIfThere(history, name)) };
  },
});

/** Whoever deletes twice has what they want. */
async function deleteIfThere(history: GraphHistory, name: string): Promise<boolean> {
  try {
    await history.deleteBranch(name);
    return true;
  } catch (error) {
    if (asTrellisError(error).code === 'BRANCH_NOT_FOUND') return false;
    throw error;
  }
}

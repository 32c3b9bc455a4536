import { z } from 'zod';
import { changes } from '../annotations.js';
import { defineTool } from '../tool.js';
import { withChildrenTold } from './children-told.js';
import { onBranch } from './on-branch.js';
import { branchName } from './shapes.js';

const input = z.object({ name: branchName('The branch to delete') });

export const branchesDelete = defineTool({
  name: 'branches_delete',
  title: 'Delete a branch',
  description:
    'Delete a branch with what was written to it and not merged. main is never deleted, nor a branch that others were forked from.',
  input,
  output: z.object({ name: z.string() }),
  annotations: changes,
  action: onBranch<z.output<typeof input>>('branch_delete', ({ name }) => name),
  async run({ history, may }, { name }) {
    await withChildrenTold({ may }, () => history.deleteBranch(name));
    return { name };
  },
});

import { z } from 'zod';
import { atLeastOne } from '../../access/permission.js';
import { defineTool } from '../tool.js';
import { adds } from '../tool-annotations.js';
import { branchInput, branchName } from './graph-shapes.js';

export const graphBranchesCreate = defineTool({
  name: 'branches_create',
  title: 'Create a branch',
  description:
    'Fork a branch: it starts as the other one is now, and what is written to it is seen there alone until it is merged. Costs nothing, however large the graph is.',
  input: z.object({
    name: branchName('What to call it; it may contain /'),
    from: branchInput('The branch to start from'),
  }),
  output: z.object({ name: z.string(), from: z.string() }),
  annotations: adds,
  action: (args) => [
    { action: 'branch_create', branch: args === undefined ? atLeastOne : args.name },
    { action: 'read', branch: args === undefined ? atLeastOne : args.from },
  ],
  async run({ graph, history }, { name, from = graph.branch }) {
    await history.createBranch(name, from);
    return { name, from };
  },
});

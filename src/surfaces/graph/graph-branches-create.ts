import { z } from 'zod';
import { atLeastOne } from '../../access/permission.js';
import { defineTool } from '../tool.js';
import { adds } from '../tool-annotations.js';
import { branchInput, branchName } from './graph-shapes.js';

export const graphBranchesCreate = defineTool({
  name: 'branches_create',
  title: 'Create a branch',
  description:
    'Fork a branch. It starts as a copy of the other branch; writes to it stay on it until it is merged. Forking is free, whatever the size of the graph.',
  input: z.object({
    name: branchName('The name of the branch; it may contain /'),
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

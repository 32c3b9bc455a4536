import { z } from 'zod';
import { atLeastOne } from '../../access/permission.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { readableBranchNames } from './readable-branch-names.js';

export const graphBranchesList = defineTool({
  name: 'branches_list',
  title: 'List branches',
  description: 'List the branches of this graph that you can read, sorted by name. Every graph has main.',
  input: z.object({}),
  output: z.object({ branches: z.array(z.string()) }),
  annotations: reads,
  action: () => [{ action: 'read', branch: atLeastOne }],
  async run(call) {
    return { branches: await readableBranchNames(call) };
  },
});

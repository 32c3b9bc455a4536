import { z } from 'zod';
import { atLeastOne } from '../../access/permission.js';
import type { CallContext } from '../call-context.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';

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

/** Sorted; other branches are hidden from the caller. */
export async function readableBranchNames({ history, may }: CallContext): Promise<string[]> {
  const names = (await history.branches()).map(({ name }) => name);
  return names.filter((branch) => may([{ action: 'read', branch }])).sort();
}

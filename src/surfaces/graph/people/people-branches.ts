import { z } from 'zod';
import { atLeastOne } from '../../../access/permission.js';
import { defineTool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { timeOutput } from './people-shapes.js';

export const branchesOutput = z.object({
  branches: z.array(
    z.object({
      name: z.string(),
      parent: z.string().nullable().describe('Null for main, and if you may not read it'),
      head: z.string().nullable().describe('Its newest commit; null before the first'),
      created_at: timeOutput,
    }),
  ),
});

export const peopleBranches = defineTool({
  name: 'people_branches',
  title: 'Describe branches',
  description: 'List the branches that you can read, with their parents and newest commits.',
  input: z.object({}),
  output: branchesOutput,
  annotations: reads,
  action: () => [{ action: 'read', branch: atLeastOne }],
  async run({ history, may }) {
    const isReadable = (branch: string) => may([{ action: 'read', branch }]);
    const branches = (await history.branches()).filter(({ name }) => isReadable(name));
    return {
      branches: branches.map(({ name, parent, head, createdAt }) => ({
        name,
        parent: parent !== null && isReadable(parent) ? parent : null,
        head,
        created_at: new Date(createdAt).toISOString(),
      })),
    };
  },
});

import { z } from 'zod';
import { atLeastOne } from '../../access/permission.js';
import { describeDiffWithSchema } from '../../schema/apply/describe-diff-with-schema.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { changesOutput, maxTouched } from './graph-changes-shapes.js';
import { commitId } from './graph-shapes.js';

export const graphDiff = defineTool({
  name: 'diff',
  title: 'Compare branches or commits',
  description:
    'Get what turns one state of the graph into another: the nodes and edges that were added or removed, and the properties that differ.',
  input: z.object({
    from: commitId('A branch or the id of a commit'),
    to: commitId('Another branch or commit'),
  }),
  output: z.object({ from: z.string(), to: z.string(), changes: changesOutput }),
  annotations: reads,
  action: () => [{ action: 'read', branch: atLeastOne }],
  async run({ history, may }, { from, to }) {
    const mayRead = (branch: string) => may([{ action: 'read', branch }]);
    const changes = await history.diff({ from, to, mayRead, maxTouched });
    return { from, to, changes: await describeDiffWithSchema(changes) };
  },
});

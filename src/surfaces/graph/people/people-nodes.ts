import { z } from 'zod';
import { listNodes } from '../../../engine/read/list-nodes.js';
import { cursorInput, nextCursorOutput, pageExtras, storedName } from '../../common-shapes.js';
import { defineTool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { branchInput, commitId } from '../graph-shapes.js';
import {
  nodeHeaderOutput,
  peopleLimitInput,
  readPermission,
  readState,
  timeOutput,
  toNodeHeader,
} from './people-shapes.js';

export const peopleNodes = defineTool({
  name: 'people_nodes',
  title: 'List nodes',
  description: 'List nodes in the order in which they were created.',
  input: z.object({
    type: storedName.optional().describe('Only nodes of this type'),
    tag: storedName.optional().describe('Only nodes with this tag'),
    limit: peopleLimitInput(),
    cursor: cursorInput,
    branch: branchInput('The branch to read'),
    snapshot: commitId('A commit, to read the graph as it was then, instead of a branch').optional(),
  }),
  output: z.object({
    nodes: z.array(nodeHeaderOutput.extend({ observation_count: z.int(), updated_at: timeOutput })),
    nextCursor: nextCursorOutput,
  }),
  annotations: reads,
  action: readPermission,
  hidesRegistry: true,
  run: (call, { branch, snapshot, ...request }) =>
    readState(
      call,
      { branch, snapshot },
      async (reader) => {
        const { items, nextCursor } = await listNodes(reader, 'people_nodes', request);
        const ids = items.map(({ id }) => id);
        const tallies = await reader.tallyObservations(ids);
        const updated = await reader.updatedAt(ids);
        return {
          nodes: items.map((node) => ({
            ...toNodeHeader(node),
            observation_count: tallies.get(node.id)?.observations ?? 0,
            updated_at: new Date(updated.get(node.id) ?? node.createdAt).toISOString(),
          })),
          ...pageExtras({ nextCursor }),
        };
      },
      'linear',
    ),
});

import { z } from 'zod';
import { deleteEdges } from '../../engine/write/delete-edges.js';
import { batchInput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { deletes } from '../tool-annotations.js';
import { deletedOutput, memoryEdgeSpec, relationPattern } from './memory-shapes.js';

export const memoryDeleteRelations = defineTool({
  name: 'delete_relations',
  title: 'Delete relations',
  description:
    'Delete multiple relations from the knowledge graph. ' +
    'Each must match in all three fields; the entities at both ends stay.',
  input: z.object({ relations: batchInput(relationPattern, 'The relations to delete') }),
  output: deletedOutput,
  annotations: deletes,
  action: 'change',
  async run({ graph }, { relations }) {
    const { asked, deleted } = await graph.write((tx) => deleteEdges(tx, relations.map(memoryEdgeSpec)));
    const message =
      deleted.length === asked
        ? 'Relations deleted successfully'
        : `Deleted ${deleted.length} of ${asked} relations. The rest matched nothing.`;
    return { success: true, message };
  },
  text: ({ message }) => [message],
});

import { z } from 'zod';
import { deleteEdges } from '../../engine/write/delete-edges.js';
import { deletes } from '../annotations.js';
import { defineTool } from '../tool.js';
import { batch, deletedOutput, edgeSpecOf, relationPattern } from './shapes.js';

export const deleteRelations = defineTool({
  name: 'delete_relations',
  title: 'Delete relations',
  description:
    'Delete multiple relations from the knowledge graph. ' +
    'Each must match in all three fields; the entities at both ends stay.',
  input: z.object({ relations: batch(relationPattern, 'The relations to delete') }),
  output: deletedOutput,
  annotations: deletes,
  action: 'change',
  async run({ graph }, { relations }) {
    const { asked, deleted } = await graph.write((tx) => deleteEdges(tx, relations.map(edgeSpecOf)));
    const message =
      deleted.length === asked
        ? 'Relations deleted successfully'
        : `Deleted ${deleted.length} of ${asked} relations. The rest matched nothing.`;
    return { success: true, message };
  },
  text: ({ message }) => [message],
});

import { z } from 'zod';
import { deleteEdges } from '../../engine/write/delete-edges.js';
import { batchInput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { deletes } from '../tool-annotations.js';
import { endTypeFields, workspaceEdgeSpec } from './workspace-shapes.js';

export const workspaceDeleteRelations = defineTool({
  name: 'delete_relations',
  title: 'Delete relations',
  description:
    'Delete relations; direction and type must match exactly. Returns how many were deleted and how many were not found.',
  input: z.object({
    relations: batchInput(
      z.object({
        from_entity: z.string().describe('The entity where the relation starts'),
        to_entity: z.string().describe('The entity where the relation ends'),
        relation_type: z.string().describe('Its type'),
        ...endTypeFields,
      }),
      'The relations to delete',
    ),
  }),
  output: z.object({ deleted: z.int(), not_found: z.int() }),
  annotations: deletes,
  action: 'change',
  async run({ graph }, { relations }) {
    const { deleted } = await graph.write((tx) => deleteEdges(tx, relations.map(workspaceEdgeSpec)));
    // A relation that is listed twice is deleted once.
    return { deleted: deleted.length, not_found: relations.length - deleted.length };
  },
});

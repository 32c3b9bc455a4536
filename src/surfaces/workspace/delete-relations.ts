import { z } from 'zod';
import { deleteEdges } from '../../engine/write/delete-edges.js';
import { deletes } from '../annotations.js';
import { defineTool } from '../tool.js';
import { batch, endTypes, specOf } from './shapes.js';

export const deleteRelations = defineTool({
  name: 'delete_relations',
  title: 'Delete relations',
  description:
    'Delete relations; direction and type must match exactly. Answers how many were there and how many not.',
  input: z.object({
    relations: batch(
      z.object({
        from_entity: z.string().describe('The entity where the relation starts'),
        to_entity: z.string().describe('The entity where the relation ends'),
        relation_type: z.string().describe('Its type'),
        ...endTypes,
      }),
      'The relations to delete',
    ),
  }),
  output: z.object({ deleted: z.int(), not_found: z.int() }),
  annotations: deletes,
  action: 'change',
  async run({ graph }, { relations }) {
    const { deleted } = await graph.write((tx) => deleteEdges(tx, relations.map(specOf)));
    // One that comes twice is there only once.
    return { deleted: deleted.length, not_found: relations.length - deleted.length };
  },
});

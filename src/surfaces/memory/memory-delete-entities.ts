import { z } from 'zod';
import { type DeletedNodes, deleteNodes } from '../../engine/write/delete-nodes.js';
import { listNames } from '../../model/quoting.js';
import { typeInput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { deletes } from '../tool-annotations.js';
import { deletedOutput, names } from './memory-shapes.js';

export const memoryDeleteEntities = defineTool({
  name: 'delete_entities',
  title: 'Delete entities',
  description:
    'Delete multiple entities and their associated relations from the knowledge graph. ' +
    'To remove single facts, use delete_observations instead.',
  input: z.object({
    entityNames: names('The names of the entities to delete'),
    entityType: typeInput('Only entities of this type, if entities of several types share a name'),
  }),
  output: deletedOutput,
  annotations: deletes,
  action: 'change',
  async run({ graph }, { entityNames, entityType }) {
    const outcome = await graph.write((tx) => deleteNodes(tx, entityNames, { type: entityType }));
    return { success: true, message: messageOf(outcome) };
  },
  text: ({ message }) => [message],
});

function messageOf({ deleted, notFound }: DeletedNodes): string {
  if (notFound.length === 0) return 'Entities deleted successfully';
  const asked = deleted.length + notFound.length;
  return `Deleted ${deleted.length} of ${asked} entities. Not found: ${listNames(notFound)}`;
}

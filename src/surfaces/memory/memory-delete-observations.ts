import { z } from 'zod';
import {
  type DeletedObservations,
  deleteObservations as deleteByText,
} from '../../engine/write/delete-observations.js';
import { listNames } from '../../model/quoting.js';
import { batchInput, typeInput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { deletes } from '../tool-annotations.js';
import { deletedOutput, names } from './memory-shapes.js';

export const memoryDeleteObservations = defineTool({
  name: 'delete_observations',
  title: 'Delete observations',
  description:
    'Delete specific observations from entities in the knowledge graph. ' +
    'Each must be the exact text; to delete a whole entity, use delete_entities instead.',
  input: z.object({
    deletions: batchInput(
      z.object({
        entityName: z.string().describe('The name of the entity'),
        entityType: typeInput(),
        observations: names('The exact texts to delete'),
      }),
      'What to delete from which entity',
    ),
  }),
  output: deletedOutput,
  annotations: deletes,
  action: 'change',
  async run({ graph }, { deletions }) {
    const items = deletions.map((item) => ({
      name: item.entityName,
      type: item.entityType,
      texts: item.observations,
    }));
    const outcome = await graph.write((tx) => deleteByText(tx, items));
    return { success: true, message: messageOf(outcome) };
  },
  text: ({ message }) => [message],
});

function messageOf({ asked, deleted, nodesNotFound }: DeletedObservations): string {
  if (nodesNotFound.length > 0) {
    return `Deleted ${deleted} of ${asked} observations. Entities not found: ${listNames(nodesNotFound.map(({ name }) => name))}`;
  }
  if (deleted < asked) return `Deleted ${deleted} of ${asked} observations. The rest matched nothing.`;
  return 'Observations deleted successfully';
}

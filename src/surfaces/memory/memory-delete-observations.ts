import { z } from 'zod';
import {
  type DeletedObservations,
  deleteObservations as deleteByText,
} from '../../engine/write/delete-observations.js';
import { listNames } from '../../model/quoting.js';
import { defineTool } from '../tool.js';
import { deletes } from '../tool-annotations.js';
import { typeInput } from '../type-shapes.js';
import { deletedOutput, memoryBatch, names } from './memory-shapes.js';

export const memoryDeleteObservations = defineTool({
  name: 'delete_observations',
  title: 'Delete observations',
  description:
    'Delete specific observations from entities in the knowledge graph. ' +
    'Each must be the exact text; to delete a whole entity, use delete_entities instead.',
  input: z.object({
    deletions: memoryBatch(
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
    const items = deletions.map(({ entityName, entityType, observations }) => ({
      name: entityName,
      type: entityType,
      texts: observations,
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

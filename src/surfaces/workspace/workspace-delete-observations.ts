import { z } from 'zod';
import { deleteObservationsByOrdinal } from '../../engine/write/delete-observations-by-ordinal.js';
import { batchInput, typeInput } from '../common-shapes.js';
import { deletes } from '../tool-annotations.js';
import { defineListTool } from './workspace-list-tool.js';
import { ordinal } from './workspace-shapes.js';

export const workspaceDeleteObservations = defineListTool({
  name: 'delete_observations',
  title: 'Delete observations',
  description:
    'Delete observations by ordinal. The others keep their ordinals; deleted ordinals are never reused. ' +
    'Missing ordinals and nodes are reported.',
  input: z.object({
    deletions: batchInput(
      z.object({
        entity_name: z.string().describe('The exact name of the node'),
        entity_type: typeInput(),
        ordinals: batchInput(ordinal, 'The ordinals of the observations'),
      }),
      'What to delete from which node',
    ),
  }),
  item: z.object({
    entity_name: z.string(),
    deleted_ordinals: z.array(ordinal),
    not_found_ordinals: z.array(ordinal),
  }),
  annotations: deletes,
  action: 'change',
  async run({ graph }, { deletions }) {
    const items = deletions.map(({ ordinals, ...node }) => ({
      name: node.entity_name,
      type: node.entity_type,
      ordinals,
    }));
    const deleted = await graph.write((tx) => deleteObservationsByOrdinal(tx, items));
    return {
      results: deleted.map((item) => ({
        entity_name: item.name,
        deleted_ordinals: [...item.deleted],
        not_found_ordinals: [...item.notFound],
      })),
    };
  },
});

import { z } from 'zod';
import { deleteNodes } from '../../engine/write/delete-nodes.js';
import { batchInput, typeInput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { deletes } from '../tool-annotations.js';

export const workspaceDeleteEntities = defineTool({
  name: 'delete_entities',
  title: 'Delete entities',
  description:
    'Delete nodes by name, with all their observations and every relation that touches them. ' +
    'Unknown names are reported.',
  input: z.object({
    entity_names: batchInput(z.string(), 'The exact names of the nodes'),
    entity_type: typeInput('Only nodes of this type, if nodes of several types share a name'),
  }),
  output: z.object({ deleted: z.array(z.string()), not_found: z.array(z.string()) }),
  annotations: deletes,
  action: 'change',
  async run({ graph }, { entity_names, entity_type: type }) {
    const { deleted, notFound } = await graph.write((tx) =>
      deleteNodes(tx, entity_names, { stubs: false, type }),
    );
    return { deleted: [...deleted], not_found: [...notFound] };
  },
});

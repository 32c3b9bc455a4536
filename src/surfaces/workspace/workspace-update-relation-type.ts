import { z } from 'zod';
import { retypeEdge } from '../../engine/write/retype-edge.js';
import { storedName } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { changes } from '../tool-annotations.js';
import { endTypeFields, entityName, workspaceEdgeSpec } from './workspace-shapes.js';

export const workspaceUpdateRelationType = defineTool({
  name: 'update_relation_type',
  title: 'Update relation type',
  description:
    'Change the type of an existing relation. ' +
    'If a relation of the new type already exists, the two are merged and the result says merged.',
  input: z.object({
    from_entity: entityName,
    to_entity: entityName,
    old_type: storedName.describe('The present type'),
    new_type: storedName.describe('The new type'),
    ...endTypeFields,
  }),
  output: z.object({
    from_entity: z.string(),
    to_entity: z.string(),
    old_type: z.string(),
    new_type: z.string(),
    merged: z.boolean().optional().describe('True if it was merged into an existing relation'),
  }),
  annotations: changes,
  action: 'change',
  async run({ graph }, given) {
    const { from_entity, to_entity, old_type, new_type } = given;
    const spec = workspaceEdgeSpec({ ...given, relation_type: old_type });
    const { merged } = await graph.write((tx) => retypeEdge(tx, spec, new_type));
    return { from_entity, to_entity, old_type, new_type, ...(merged ? { merged } : {}) };
  },
});

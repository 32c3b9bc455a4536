import { z } from 'zod';
import { edgesBetween } from '../../engine/read/edges-between.js';
import { typeInput } from '../common-shapes.js';
import { reads } from '../tool-annotations.js';
import { defineListTool } from './workspace-list-tool.js';
import {
  entityName,
  toListRequest,
  toRelationOutput,
  workspacePageInput,
  workspaceRelationOutput,
} from './workspace-shapes.js';

export const workspaceGetRelationsBetween = defineListTool({
  name: 'get_relations_between',
  title: 'Get relations between',
  description: 'List all relations between two nodes, in both directions.',
  input: z.object({
    entity_a: entityName,
    entity_b: entityName,
    entity_a_type: typeInput(),
    entity_b_type: typeInput(),
    ...workspacePageInput,
  }),
  item: workspaceRelationOutput,
  annotations: reads,
  action: 'read',
  async run({ graph }, { entity_a, entity_b, entity_a_type, entity_b_type, ...page }) {
    const a = { name: entity_a, type: entity_a_type };
    const b = { name: entity_b, type: entity_b_type };
    const { items, ...next } = await graph.read((reader) =>
      edgesBetween(reader, [a, b], toListRequest(page)),
    );
    return { results: items.map(toRelationOutput), ...next };
  },
});

import { z } from 'zod';
import { edgesBetween } from '../../engine/read/edges-between.js';
import { reads } from '../annotations.js';
import { typeInput } from '../type-inputs.js';
import { defineListTool } from './list-tool.js';
import { entityName, pageInput, pageOf, relationOf, relationOutput } from './shapes.js';

export const getRelationsBetween = defineListTool({
  name: 'get_relations_between',
  title: 'Get relations between',
  description: 'List all relations between two nodes, in both directions.',
  input: z.object({
    entity_a: entityName,
    entity_b: entityName,
    entity_a_type: typeInput(),
    entity_b_type: typeInput(),
    ...pageInput,
  }),
  item: relationOutput,
  annotations: reads,
  action: 'read',
  async run({ graph }, { entity_a, entity_b, entity_a_type, entity_b_type, ...page }) {
    const a = { name: entity_a, type: entity_a_type };
    const b = { name: entity_b, type: entity_b_type };
    const { items, ...next } = await graph.read((reader) => edgesBetween(reader, [a, b], pageOf(page)));
    return { results: items.map(relationOf), ...next };
  },
});

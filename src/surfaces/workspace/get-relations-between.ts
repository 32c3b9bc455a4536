import { z } from 'zod';
import { relationsBetween } from '../../engine/read/relations-between.js';
import { reads } from '../annotations.js';
import { defineListTool } from './list-tool.js';
import { entityName, pageInput, pageOf, relationOf, relationOutput } from './shapes.js';

export const getRelationsBetween = defineListTool({
  name: 'get_relations_between',
  title: 'Get relations between',
  description: 'List all relations between two nodes, in both directions.',
  input: z.object({ entity_a: entityName, entity_b: entityName, ...pageInput }),
  item: relationOutput,
  annotations: reads,
  action: 'read',
  async run({ graph }, { entity_a, entity_b, ...page }) {
    const { items, ...next } = await graph.read((reader) =>
      relationsBetween(reader, [entity_a, entity_b], pageOf(page)),
    );
    return { results: items.map(relationOf), ...next };
  },
});

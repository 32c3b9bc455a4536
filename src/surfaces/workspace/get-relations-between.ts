import { z } from 'zod';
import { relationsBetween } from '../../engine/read/relations-between.js';
import { reads } from '../annotations.js';
import { defineListTool } from './list-tool.js';
import { entityName, relationOf, relationOutput } from './shapes.js';

export const getRelationsBetween = defineListTool({
  name: 'get_relations_between',
  title: 'Get relations between',
  description: 'List all relations between two nodes, in both directions.',
  input: z.object({ entity_a: entityName, entity_b: entityName }),
  item: relationOutput,
  annotations: reads,
  action: 'read',
  async run({ graph }, { entity_a, entity_b }) {
    const edges = await graph.read((reader) => relationsBetween(reader, entity_a, entity_b));
    return { results: edges.map(relationOf) };
  },
});

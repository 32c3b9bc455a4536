import { z } from 'zod';
import { shortestPath } from '../../engine/traverse/shortest-path.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { endTypeFields, entityName, toRelationOutput, workspaceRelationOutput } from './workspace-shapes.js';

export const workspaceGetPath = defineTool({
  name: 'get_path',
  title: 'Get path',
  description:
    'Find the shortest path between two nodes along relations, followed in both directions. ' +
    'If several paths are equally short, the first by name is returned.',
  input: z.object({ from_entity: entityName, to_entity: entityName, ...endTypeFields }),
  output: z.object({
    found: z.boolean(),
    path: z.array(z.string()).describe('The names from source to target'),
    relations: z.array(workspaceRelationOutput).describe('One for each step, as it is stored'),
  }),
  annotations: reads,
  action: 'read',
  async run({ graph }, ends) {
    const from = { name: ends.from_entity, type: ends.from_entity_type };
    const to = { name: ends.to_entity, type: ends.to_entity_type };
    const path = await graph.read((reader) => shortestPath(reader, from, to), { length: 'linear' });
    return {
      found: path !== undefined,
      path: (path?.nodes ?? []).map(({ name }) => name),
      relations: (path?.edges ?? []).map(toRelationOutput),
    };
  },
});

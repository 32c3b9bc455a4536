import { z } from 'zod';
import { shortestPath } from '../../../engine/traverse/shortest-path.js';
import { limits } from '../../../model/limits.js';
import { storedName } from '../../common-shapes.js';
import { defineTool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { branchInput } from '../graph-shapes.js';
import { nodeRefOutput, readPermission, readState, toNodeRef } from './people-shapes.js';

const name = z.string().max(limits.nameLength);

export const peoplePath = defineTool({
  name: 'people_path',
  title: 'Find a path',
  description: 'Find the shortest path between two nodes along edges, followed in both directions.',
  input: z.object({
    from: name.describe('The node where the path starts'),
    from_type: storedName.optional().describe('Its type, if nodes of several types share the name'),
    to: name.describe('The node where it ends'),
    to_type: storedName.optional().describe('Its type, if nodes of several types share the name'),
    branch: branchInput('The branch to read'),
  }),
  output: z.object({
    path: z.array(nodeRefOutput).nullable().describe('Null if there is none'),
    edges: z
      .array(
        z.object({ from: nodeRefOutput, to: nodeRefOutput, type: z.string(), key: z.string().optional() }),
      )
      .describe('One for each step, as it is stored'),
  }),
  annotations: reads,
  action: readPermission,
  hidesRegistry: true,
  async run(call, { from, from_type, to, to_type, branch }) {
    const ends = [
      { name: from, type: from_type },
      { name: to, type: to_type },
    ] as const;
    const path = await readState(call, { branch }, (reader) => shortestPath(reader, ...ends), 'linear');
    if (path === undefined) return { path: null, edges: [] };
    const refs = new Map(path.nodes.map((node) => [node.id, toNodeRef(node)]));
    return {
      path: path.nodes.map(toNodeRef),
      edges: path.edges.flatMap((edge) => {
        const [start, end] = [refs.get(edge.from), refs.get(edge.to)];
        if (start === undefined || end === undefined) return [];
        return [{ from: start, to: end, type: edge.type, ...(edge.key === '' ? {} : { key: edge.key }) }];
      }),
    };
  },
});

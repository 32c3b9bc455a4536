import { z } from 'zod';
import { hubs, neighbourhood } from '../../../engine/traverse/neighbourhood.js';
import { limits } from '../../../model/limits.js';
import { storedName } from '../../common-shapes.js';
import { defineTool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { branchInput } from '../graph-shapes.js';
import { nodeRefOutput, readPermission, readState } from './people-shapes.js';

export const peopleNeighborhood = defineTool({
  name: 'people_neighborhood',
  title: 'Get a neighborhood',
  description:
    'Get a node and those within some hops, nearest first, with every edge between them. Without a name, get the nodes with the most edges.',
  input: z.object({
    name: z.string().max(limits.nameLength).optional().describe('The node to start at'),
    type: storedName.optional().describe('Its type, if nodes of several types share the name'),
    depth: z.int().min(1).max(3).default(1).describe('The number of hops'),
    limit: z.int().min(1).max(5_000).default(200).describe('At most this many nodes'),
    relation: storedName.optional().describe('Only edges of this type'),
    branch: branchInput('The branch to read'),
  }),
  output: z.object({
    nodes: z.array(
      nodeRefOutput.extend({ degree: z.int().describe('The number of its edges in the graph') }),
    ),
    edges: z.array(
      z.object({
        from: z.int().describe('An index into nodes'),
        to: z.int().describe('An index into nodes'),
        type: z.string(),
        key: z.string().optional(),
        weight: z.number().optional().describe('Default: 1'),
      }),
    ),
    truncated: z.boolean().describe('True if there are more nodes'),
  }),
  annotations: reads,
  action: readPermission,
  hidesRegistry: true,
  run: (call, { name, type, depth, limit, relation, branch }) =>
    readState(
      call,
      { branch },
      async (reader) => {
        const { nodes, edges, nextCursor } =
          name === undefined
            ? { ...(await hubs(reader, limit, relation)), nextCursor: undefined }
            : await neighbourhood(reader, { name, type }, { depth, limit, edgeType: relation });
        const ids = nodes.map(({ id }) => id);
        const degrees = await reader.degrees({ ids });
        const place = new Map(ids.map((id, index) => [id, index]));
        const isCut = name === undefined && (await reader.counts()).nodes > nodes.length;
        return {
          nodes: nodes.map((node) => ({
            ...{ name: node.name, type: node.type, degree: degrees.get(node.id) ?? 0 },
          })),
          edges: edges.flatMap(({ from, to, type, key, weight }) => {
            const ends = { from: place.get(from) ?? -1, to: place.get(to) ?? -1 };
            if (ends.from < 0 || ends.to < 0) return [];
            return [{ ...ends, type, ...(key === '' ? {} : { key }), ...(weight === 1 ? {} : { weight }) }];
          }),
          truncated: isCut || nextCursor !== undefined,
        };
      },
      'linear',
    ),
});

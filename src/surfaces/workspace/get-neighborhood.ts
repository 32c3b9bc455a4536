import { z } from 'zod';
import { neighbourhood } from '../../engine/traverse/neighbourhood.js';
import { workspaceLimits } from '../../model/limits.js';
import { reads } from '../annotations.js';
import { defineTool, type Tool } from '../tool.js';
import {
  entityName,
  headOf,
  pageInput,
  pageOf,
  relationOf,
  relationOutput,
  summary,
  tags,
} from './shapes.js';

const input = (mostHops: number) =>
  z.object({
    name: entityName,
    depth: z.int().min(0).max(mostHops).default(1).describe('The number of hops'),
    ...pageInput,
  });

/** The tool, which looks no further than so many hops. */
export function getNeighborhood(
  mostHops: number = workspaceLimits.depth,
): Tool<z.output<ReturnType<typeof input>>> {
  return defineTool({
    name: 'get_neighborhood',
    title: 'Get neighborhood',
    description:
      'Get a node and all nodes within some hops of it, nearest first, with every relation between them. ' +
      'Relations are followed in both directions. Depth 0 is the node alone.',
    input: input(mostHops),
    output: z.object({
      nodes: z.array(z.object({ name: z.string(), entity_type: z.string(), summary, tags })),
      relations: z.array(relationOutput).describe('On pages each stands with the later of its ends'),
      nextCursor: z.string().optional().describe('Pass as cursor to get the next page; absent on the last'),
    }),
    annotations: reads,
    action: 'read',
    async run({ graph }, { name, depth, ...page }) {
      const { nodes, edges, ...next } = await graph.read(
        (reader) => neighbourhood(reader, name, { depth, ...pageOf(page) }),
        { length: depth > 1 ? 'linear' : 'short' },
      );
      return {
        nodes: nodes.map((node) => ({ ...headOf(node), tags: [...node.tags] })),
        relations: edges.map(relationOf),
        ...next,
      };
    },
  });
}

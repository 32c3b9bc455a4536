import { z } from 'zod';
import { type FittedPage, fitPage, type NodePageSource } from '../../engine/read/fit/fit-page.js';
import type { NodeName } from '../../engine/specs.js';
import { neighbourhood, neighbourhoodList } from '../../engine/traverse/neighbourhood.js';
import { workspaceLimits } from '../../model/limits.js';
import type { Node } from '../../model/node.js';
import type { Reader } from '../../store/reader.js';
import { nextCursorOutput, pageExtras, typeInput } from '../common-shapes.js';
import { outputLength } from '../output-length.js';
import { defineTool, type Tool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import {
  entityName,
  summary,
  tags,
  toListRequest,
  toNodeHeader,
  toRelationOutput,
  warnings,
  workspacePageInput,
  workspaceRelationOutput,
} from './workspace-shapes.js';

const input = (maxDepth: number) =>
  z.object({
    name: entityName,
    entity_type: typeInput(),
    depth: z.int().min(0).max(maxDepth).default(1).describe('The number of hops'),
    ...workspacePageInput,
  });

export function workspaceGetNeighborhood(
  maxDepth: number = workspaceLimits.depth,
): Tool<z.output<ReturnType<typeof input>>> {
  return defineTool({
    name: 'get_neighborhood',
    title: 'Get neighborhood',
    description:
      'Get a node and all nodes within depth hops of it, nearest first, with every relation between them. ' +
      'Relations are followed in both directions. Depth 0 is the node alone.',
    input: input(maxDepth),
    output: z.object({
      nodes: z.array(z.object({ name: z.string(), entity_type: z.string(), summary, tags })),
      relations: z
        .array(workspaceRelationOutput)
        .describe('With pages, a relation appears with the later of its two ends'),
      nextCursor: nextCursorOutput,
      warnings,
    }),
    annotations: reads,
    action: 'read',
    async run({ graph }, { name, entity_type: type, depth, ...page }) {
      const read = (reader: Reader) =>
        fitPage(reader, neighborList(reader, { name, type }, depth), toListRequest(page));
      return neighborhoodOutput(await graph.read(read, { length: depth > 1 ? 'linear' : 'short' }));
    },
  });
}

interface NeighborNode {
  readonly node: Node;
}

function neighborList(reader: Reader, start: NodeName, depth: number): NodePageSource<NeighborNode> {
  return {
    name: neighbourhoodList,
    shown: { summaryAndTags: true, facts: false },
    async read(page) {
      const { nodes, ...rest } = await neighbourhood(reader, start, { depth, ...toListRequest(page) });
      return { ...rest, nodes: nodes.map((node) => ({ node })), matches: nodes.length };
    },
    truncate: (_, node) => ({ node }),
    length: (page) => outputLength(neighborhoodOutput({ ...page, warnings: [] })),
  };
}

function neighborhoodOutput({ nodes, edges, ...page }: FittedPage<NeighborNode>) {
  return {
    nodes: nodes.map(({ node }) => ({ ...toNodeHeader(node), tags: [...node.tags] })),
    relations: edges.map(toRelationOutput),
    ...pageExtras(page),
  };
}

import { z } from 'zod';
import type { GraphSearch } from '../../search/graph-search.js';
import { defineTool, type Tool } from '../tool.js';
import { reads } from '../tool-annotations.js';

export function workspaceGetStats(search: GraphSearch): Tool {
  return defineTool({
    name: 'get_stats',
    title: 'Get stats',
    description: 'Count what is in the workspace, and report how much of it is searchable by meaning.',
    input: z.object({}),
    output: z.object({
      node_count: z.int(),
      observation_count: z.int(),
      relation_count: z.int(),
      embedding_coverage: z.number().min(0).max(1).describe('The share of the observations that is embedded'),
      workspace: z.string(),
    }),
    annotations: reads,
    action: 'read',
    async run({ graph }) {
      const coverageOf = await search.coverage();
      const { counts, coverage } = await graph.read(
        async (reader) => ({ counts: await reader.counts(), coverage: await coverageOf(reader) }),
        { length: 'linear' },
      );
      return {
        node_count: counts.nodes,
        observation_count: counts.observations,
        relation_count: counts.edges,
        embedding_coverage: coverage,
        workspace: graph.name,
      };
    },
  });
}

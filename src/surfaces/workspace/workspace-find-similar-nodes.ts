import { z } from 'zod';
import { Deadline } from '../../bounds/deadline.js';
import { workspaceLimits } from '../../model/limits.js';
import type { GraphSearch } from '../../search/graph-search.js';
import { searchWarnings } from '../search-warnings.js';
import type { Tool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { defineListTool } from './workspace-list-tool.js';

export function workspaceFindSimilarNodes(search: GraphSearch): Tool {
  return defineListTool({
    name: 'find_similar_nodes',
    title: 'Find similar nodes',
    description:
      'Find pairs of nodes whose observations say similar things but that no relation connects, most similar first. ' +
      'They may need a relation, or be duplicates: decide before you change anything.',
    input: z.object({
      limit: z.int().min(1).max(workspaceLimits.reportItems).default(20).describe('At most this many pairs'),
      min_score: z.number().min(-1).max(1).default(0.75).describe('The minimum cosine similarity'),
    }),
    item: z.object({
      node_a: z.string(),
      node_b: z.string(),
      similarity: z.number(),
      node_a_type: z.string(),
      node_b_type: z.string(),
    }),
    annotations: reads,
    action: 'read',
    async run({ graph, redactor, remainingMs }, { limit, min_score }) {
      const deadline = new Deadline(remainingMs() * 0.8);
      const similar = await search.similar();
      const { pairs, ...found } = await graph.read(
        (reader) => similar(reader, { limit, minScore: min_score, deadline }),
        { length: 'thorough' },
      );
      return {
        results: pairs.map(({ a, b, similarity }) => ({
          node_a: a.name,
          node_b: b.name,
          similarity,
          node_a_type: a.type,
          node_b_type: b.type,
        })),
        ...searchWarnings(found, redactor, 'similar'),
      };
    },
  });
}

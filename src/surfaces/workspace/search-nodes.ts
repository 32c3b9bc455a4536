import { z } from 'zod';
import { reads } from '../annotations.js';
import type { Tool } from '../tool.js';
import { defineListTool } from './list-tool.js';
import { remarks, searchModes, type WorkspaceSearch } from './search.js';
import { headOf, pageInput, query, summary } from './shapes.js';

const defaultLimit = 10;

export function searchNodes(search: WorkspaceSearch): Tool {
  return defineListTool({
    name: 'search_nodes',
    title: 'Search nodes',
    description:
      'Search all nodes, best first, each with the text that matched: an observation, a name or a summary. ' +
      'Mode embedding (default) finds what is meant, text finds any of the words, hybrid combines both. ' +
      'If you know the exact names, use open_nodes instead.',
    input: z.object({
      query: query.describe('What to look for, in your own words'),
      limit: pageInput.limit.default(defaultLimit).describe('At most this many nodes'),
      mode: z
        .enum(searchModes)
        .default('embedding')
        .describe('embedding: by meaning; text: by words; hybrid: by both'),
      cursor: pageInput.cursor,
    }),
    item: z.object({
      name: z.string(),
      entity_type: z.string(),
      summary,
      matched_observation: z.string().describe('The text that matched; it may be the name or the summary'),
      matched_perspective: z.string().nullable(),
      score: z.number(),
    }),
    annotations: reads,
    action: 'read',
    async run({ graph, told }, { query, mode, limit = defaultLimit, cursor }) {
      const find = await search.find(query, mode);
      const { hits, nextCursor, ...found } = await graph.read((reader) =>
        find(reader, { limit, cursor, perNode: true }),
      );
      return {
        results: hits.map(({ node, text, perspective, score }) => ({
          ...headOf(node),
          matched_observation: text,
          matched_perspective: perspective,
          score,
        })),
        ...remarks(found, told),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      };
    },
  });
}

import { z } from 'zod';
import { type GraphSearch, searchModes } from '../../search/graph-search.js';
import { searchWarnings } from '../search-warnings.js';
import type { Tool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { defineListTool } from './workspace-list-tool.js';
import { searchQueryInput, summary, toNodeHeader, workspacePageInput } from './workspace-shapes.js';

const defaultLimit = 10;

export function workspaceSearchNodes(search: GraphSearch): Tool {
  return defineListTool({
    name: 'search_nodes',
    title: 'Search nodes',
    description:
      'Search all nodes, best first, each with the text that matched: an observation, a name or a summary. ' +
      'Mode embedding (default) searches by meaning, text by any of the words, hybrid by both: use hybrid for a question. ' +
      'If you know the exact names, use open_nodes instead.',
    input: z.object({
      query: searchQueryInput.describe('What to look for, in your own words'),
      limit: workspacePageInput.limit.default(defaultLimit).describe('At most this many nodes'),
      mode: z
        .enum(searchModes)
        .default('embedding')
        .describe('embedding: by meaning; text: by words; hybrid: by both, usually best'),
      cursor: workspacePageInput.cursor,
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
    async run({ graph, redactor }, { query, mode, limit = defaultLimit, cursor }) {
      const find = await search.find(query, mode, (candidates, most) =>
        graph.read((reader) => candidates(reader, { limit: most, perNode: true })),
      );
      const { hits, nextCursor, ...found } = await graph.read((reader) =>
        find(reader, { limit, cursor, perNode: true }),
      );
      return {
        results: hits.map(({ node, text, perspective, score }) => ({
          ...toNodeHeader(node),
          matched_observation: text,
          matched_perspective: perspective,
          score,
        })),
        ...searchWarnings(found, redactor),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      };
    },
  });
}

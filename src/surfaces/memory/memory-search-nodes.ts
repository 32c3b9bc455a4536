import { z } from 'zod';
import {
  filterMatches,
  searchList,
  searchReadLength,
  searchSubstring,
} from '../../engine/read/search-substring.js';
import { limits } from '../../model/limits.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { type EntityList, fitMemoryPage, type MemoryPageRequest } from './fit-memory-page.js';
import { memoryPageInput, pageOutput, toMemoryGraph } from './memory-shapes.js';

const rankedLimit = 50;

export const memorySearchNodes = defineTool({
  name: 'search_nodes',
  title: 'Search nodes',
  description:
    'Search for nodes in the knowledge graph based on a query. ' +
    'The query is matched as one piece of text, ignoring case, in names, types and observations; ' +
    'for several words in any order use mode "ranked". If you know the exact names, use open_nodes instead.',
  input: z.object({
    query: z.string().max(limits.queryLength).describe('The text to look for'),
    mode: z
      .enum(['substring', 'ranked'])
      .optional()
      .describe('substring (default): contains the query as it is; ranked: any of its words, best first'),
    ...memoryPageInput,
    limit: memoryPageInput.limit.describe('At most this many entities; default: all, in ranked mode 50'),
  }),
  output: pageOutput,
  annotations: reads,
  action: 'read',
  async run({ graph }, { query, mode, limit, cursor, entityTypes: types }) {
    const length = searchReadLength(query);
    if (mode !== 'ranked') {
      const found = await graph.read(
        (reader) => {
          const list: EntityList = {
            name: searchList,
            read: (page) => searchSubstring(reader, query, { ...page, types }),
            keepMatches: (nodes) => filterMatches(reader, query, nodes, types),
          };
          return fitMemoryPage(reader, list, { limit, cursor });
        },
        { length },
      );
      return toMemoryGraph(found);
    }
    // Loaded on demand, to keep the start fast.
    const { searchRanked } = await import('../../search/search-ranked.js');
    return graph.read(
      async (reader) => {
        let missing: string | undefined;
        const read = async (page: MemoryPageRequest) => {
          const found = await searchRanked(reader, query, {
            ...page,
            limit: page.limit ?? rankedLimit,
            types,
          });
          missing = found.missing;
          return found;
        };
        const request = { limit: limit ?? rankedLimit, cursor };
        const found = await fitMemoryPage(reader, { name: searchList, read }, request);
        const isLast = found.nextCursor === undefined;
        const warnings = isLast && missing !== undefined ? [...found.warnings, missing] : found.warnings;
        return toMemoryGraph({ ...found, warnings });
      },
      { length },
    );
  },
});

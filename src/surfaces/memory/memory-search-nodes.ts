import { z } from 'zod';
import {
  filterMatches,
  searchList,
  searchReadLength,
  searchSubstring,
} from '../../engine/read/search-substring.js';
import { limits } from '../../model/limits.js';
import type { BoundGraph } from '../call-context.js';
import {
  fallbackLimit,
  fallsBack,
  markCursor,
  matchOutput,
  rankedMatch,
  unmarkCursor,
} from '../ranked-fallback.js';
import type { SurfaceSettings } from '../surface.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { type EntityList, fitMemoryPage, type MemoryPageRequest } from './fit-memory-page.js';
import { type MemoryPage, memoryPageInput, pageOutput, toMemoryGraph } from './memory-shapes.js';

const rankedLimit = 50;

interface Search extends MemoryPageRequest {
  readonly query: string;
  readonly entityTypes?: readonly string[] | undefined;
}

export const memorySearchNodes = (settings: SurfaceSettings) =>
  defineTool({
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
    output: pageOutput.extend(matchOutput),
    annotations: reads,
    action: 'read',
    async run({ graph }, { mode, ...search }) {
      if (mode === 'ranked') return rankedPage(graph, { ...search, limit: search.limit ?? rankedLimit });
      const resumed = mode === undefined ? unmarkCursor(search.cursor) : undefined;
      if (resumed !== undefined) return fallbackPage(graph, { ...search, cursor: resumed });
      const found = await substringPage(graph, search);
      const isEmpty = found.entities.length === 0 && search.cursor === undefined;
      if (!isEmpty || mode !== undefined || !fallsBack(search.query, settings)) return found;
      const ranked = await fallbackPage(graph, search);
      return ranked.entities.length === 0 ? found : ranked;
    },
  });

async function substringPage(graph: BoundGraph, search: Search): Promise<MemoryPage> {
  const { query, limit, cursor, entityTypes: types } = search;
  const found = await graph.read(
    (reader) => {
      const list: EntityList = {
        name: searchList,
        read: (page) => searchSubstring(reader, query, { ...page, types }),
        keepMatches: (nodes) => filterMatches(reader, query, nodes, types),
      };
      return fitMemoryPage(reader, list, { limit, cursor });
    },
    { length: searchReadLength(query) },
  );
  return toMemoryGraph(found);
}

async function fallbackPage(graph: BoundGraph, search: Search) {
  const { nextCursor, ...found } = await rankedPage(graph, {
    ...search,
    limit: search.limit ?? fallbackLimit,
  });
  return { ...found, ...markCursor(nextCursor), match: rankedMatch } as const;
}

async function rankedPage(
  graph: BoundGraph,
  { query, limit, cursor, entityTypes: types }: Search & { readonly limit: number },
): Promise<MemoryPage> {
  // Loaded on demand, to keep the start fast.
  const { searchRanked } = await import('../../search/search-ranked.js');
  return graph.read(
    async (reader) => {
      let missing: string | undefined;
      const read = async (page: MemoryPageRequest) => {
        const found = await searchRanked(reader, query, { ...page, limit: page.limit ?? limit, types });
        missing = found.missing;
        return found;
      };
      const found = await fitMemoryPage(reader, { name: searchList, read }, { limit, cursor });
      const isLast = found.nextCursor === undefined;
      const warnings = isLast && missing !== undefined ? [...found.warnings, missing] : found.warnings;
      return toMemoryGraph({ ...found, warnings });
    },
    { length: searchReadLength(query) },
  );
}

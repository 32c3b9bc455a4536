import { z } from 'zod';
import {
  filterMatches,
  searchList,
  searchReadLength,
  searchSubstring,
} from '../../engine/read/search-substring.js';
import { limits } from '../../model/limits.js';
import type { GraphSearch, SearchMode } from '../../search/graph-search.js';
import type { BoundGraph, CallContext } from '../call-context.js';
import {
  fallbackLimit,
  fallsBack,
  markCursor,
  matchOutput,
  rankedMatch,
  unmarkCursor,
} from '../ranked-fallback.js';
import { modeInput, rankedLimits, rankedMode, readRankedPage } from '../ranked-search.js';
import type { SurfaceSettings } from '../surface.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { type EntityList, fitMemoryPage, type MemoryPageRequest } from './fit-memory-page.js';
import { type MemoryPage, memoryPageInput, pageOutput, toMemoryGraph } from './memory-shapes.js';

interface Search extends MemoryPageRequest {
  readonly query: string;
  readonly entityTypes?: readonly string[] | undefined;
}

export const memorySearchNodes = (settings: SurfaceSettings, nodeSearch: GraphSearch) =>
  defineTool({
    name: 'search_nodes',
    title: 'Search nodes',
    description:
      'Search for nodes in the knowledge graph based on a query. ' +
      'The query is matched as one piece of text, ignoring case, in names, types and observations; ' +
      'for a question or several words use mode "hybrid". If you know the exact names, use open_nodes instead.',
    input: z.object({
      query: z.string().max(limits.queryLength).describe('The text to look for'),
      mode: modeInput,
      ...memoryPageInput,
      limit: memoryPageInput.limit.describe(
        'At most this many entities; default: all, in mode text 50, in embedding and hybrid 10',
      ),
    }),
    output: pageOutput.extend(matchOutput),
    annotations: reads,
    action: 'read',
    async run(call, { mode, ...search }) {
      const ranking = rankedMode(mode);
      if (ranking !== undefined)
        return rankedPage(call, nodeSearch, ranking, {
          ...search,
          limit: search.limit ?? rankedLimits[ranking],
        });
      const fallbackPage = async (from: Search) => {
        const { nextCursor, ...found } = await rankedPage(call, nodeSearch, 'text', {
          ...from,
          limit: from.limit ?? fallbackLimit,
        });
        return { ...found, ...markCursor(nextCursor), match: rankedMatch } as const;
      };
      const resumed = mode === undefined ? unmarkCursor(search.cursor) : undefined;
      if (resumed !== undefined) return fallbackPage({ ...search, cursor: resumed });
      const found = await substringPage(call.graph, search);
      const isEmpty = found.entities.length === 0 && search.cursor === undefined;
      if (!isEmpty || mode !== undefined || !fallsBack(search.query, settings)) return found;
      const ranked = await fallbackPage(search);
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

async function rankedPage(
  call: CallContext,
  search: GraphSearch,
  mode: SearchMode,
  { query, limit, cursor, entityTypes: types }: Search & { readonly limit: number },
): Promise<MemoryPage> {
  const found = await readRankedPage(call, {
    ...{ search, query, mode, types },
    fitPage: (reader, read) =>
      fitMemoryPage(
        reader,
        { name: searchList, read: (page) => read({ ...page, limit: page.limit ?? limit }) },
        { limit, cursor },
      ),
  });
  return toMemoryGraph(found);
}

import { z } from 'zod';
import type { FittedPage } from '../../engine/read/fit/fit-page.js';
import { keepEdgesBetweenMatches } from '../../engine/read/page-edges.js';
import {
  filterMatches,
  searchList,
  searchReadLength,
  searchSubstring,
} from '../../engine/read/search-substring.js';
import { withNeighbours, withoutNeighbours } from '../../engine/read/with-neighbours.js';
import type { NodeWithFacts } from '../../engine/specs.js';
import { limits } from '../../model/limits.js';
import type { Node } from '../../model/node.js';
import type { GraphSearch, SearchMode } from '../../search/graph-search.js';
import type { BoundGraph, CallContext } from '../call-context.js';
import { limitInput } from '../common-shapes.js';
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
import { zodInput } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { fitMeshPage } from './fit-mesh-page.js';
import { neighborsPageInput, pageData, toMeshGraph } from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const input = z.object({
  query: z.string().max(limits.queryLength).describe('The text to look for'),
  mode: modeInput,
  ...neighborsPageInput,
  limit: limitInput(
    'At most this many matches, and as many neighbours; default: all, in mode text 50, in embedding and hybrid 10',
  ),
});

type Search = z.output<typeof input>;

export const meshSearchNodes = (settings: SurfaceSettings, nodeSearch: GraphSearch) =>
  defineMeshTool({
    name: 'search_nodes',
    title: 'Search nodes',
    description:
      'Find nodes that contain the query, as one piece of text and ignoring case, in their name, nodeType or metadata. ' +
      'Their immediate neighbours follow, with the edges between them. ' +
      'For a question or several words use mode "hybrid". If you know the exact names, use open_nodes.',
    input: zodInput(input, 'search_nodes'),
    data: pageData.extend(matchOutput),
    annotations: reads,
    action: 'read',
    async run(call, search) {
      const { warnings, matches, ...found } = await searchPage(call, search, { settings, nodeSearch });
      const { match } = found;
      return {
        data: { ...toMeshGraph(found), ...(match === undefined ? {} : { match }) },
        actionTaken: `Searched nodes with query: ${JSON.stringify(search.query)} - found ${matches} nodes`,
        warnings,
      };
    },
  });

interface SearchSetup {
  readonly settings: SurfaceSettings;
  readonly nodeSearch: GraphSearch;
}

async function searchPage(
  call: CallContext,
  search: Search,
  { settings, nodeSearch }: SearchSetup,
): Promise<FittedPage<NodeWithFacts> & { readonly match?: typeof rankedMatch }> {
  const { mode } = search;
  const ranking = rankedMode(mode);
  if (ranking !== undefined)
    return rankedPage(call, nodeSearch, ranking, { ...search, limit: search.limit ?? rankedLimits[ranking] });
  const fallbackPage = async (from: Search) => {
    const limit = from.limit ?? fallbackLimit;
    const { nextCursor, ...found } = await rankedPage(call, nodeSearch, 'text', { ...from, limit });
    return { ...found, ...markCursor(nextCursor), match: rankedMatch } as const;
  };
  const resumed = mode === undefined ? unmarkCursor(search.cursor) : undefined;
  if (resumed !== undefined) return fallbackPage({ ...search, cursor: resumed });
  const found = await substringPage(call.graph, search);
  const isEmpty = found.matches === 0 && search.cursor === undefined;
  if (!isEmpty || mode !== undefined || !fallsBack(search.query, settings)) return found;
  const ranked = await fallbackPage(search);
  return ranked.matches === 0 ? found : ranked;
}

function substringPage(graph: BoundGraph, { query, neighbors = true, ...request }: Search) {
  return graph.read(
    (reader) =>
      fitMeshPage(
        reader,
        searchList,
        async (page) => {
          const matches = await searchSubstring(reader, query, page);
          if (neighbors) return withNeighbours(reader, matches);
          const keep = (nodes: readonly Node[]) => filterMatches(reader, query, nodes);
          return withoutNeighbours(await keepEdgesBetweenMatches(reader, matches, keep));
        },
        request,
      ),
    { length: searchReadLength(query) },
  );
}

function rankedPage(
  call: CallContext,
  search: GraphSearch,
  mode: SearchMode,
  { query, neighbors = true, limit, cursor }: Search & { readonly limit: number },
): Promise<FittedPage<NodeWithFacts>> {
  return readRankedPage(call, {
    ...{ search, query, mode },
    fitPage: (reader, read) =>
      fitMeshPage(
        reader,
        searchList,
        async (page) => {
          const ranked = await read({ ...page, limit: page.limit ?? limit });
          const shown = new Set(ranked.nodes.map(({ node }) => node.id));
          if (neighbors) return withNeighbours(reader, ranked);
          const edges = ranked.edges.filter(({ from, to }) => shown.has(from) && shown.has(to));
          return withoutNeighbours({ ...ranked, edges });
        },
        { limit, cursor },
      ),
  });
}

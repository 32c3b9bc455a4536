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
import { zodInput } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { fitMeshPage } from './fit-mesh-page.js';
import { neighborsPageInput, pageData, toMeshGraph } from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const input = z.object({
  query: z.string().max(limits.queryLength).describe('The text to look for'),
  ...neighborsPageInput,
});

type Search = z.output<typeof input>;

export const meshSearchNodes = (settings: SurfaceSettings) =>
  defineMeshTool({
    name: 'search_nodes',
    title: 'Search nodes',
    description:
      'Find nodes that contain the query, as one piece of text and ignoring case, in their name, nodeType or metadata. ' +
      'Their immediate neighbours follow, with the edges between them. If you know the exact names, use open_nodes.',
    input: zodInput(input, 'search_nodes'),
    data: pageData.extend(matchOutput),
    annotations: reads,
    action: 'read',
    async run({ graph }, search) {
      const { warnings, matches, ...found } = await searchPage(graph, search, settings);
      const { match } = found;
      return {
        data: { ...toMeshGraph(found), ...(match === undefined ? {} : { match }) },
        actionTaken: `Searched nodes with query: ${JSON.stringify(search.query)} - found ${matches} nodes`,
        warnings,
      };
    },
  });

async function searchPage(
  graph: BoundGraph,
  search: Search,
  settings: SurfaceSettings,
): Promise<FittedPage<NodeWithFacts> & { readonly match?: typeof rankedMatch }> {
  const resumed = unmarkCursor(search.cursor);
  if (resumed !== undefined) return rankedPage(graph, { ...search, cursor: resumed });
  const found = await substringPage(graph, search);
  const isEmpty = found.matches === 0 && search.cursor === undefined;
  if (!isEmpty || !fallsBack(search.query, settings)) return found;
  const ranked = await rankedPage(graph, search);
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

async function rankedPage(graph: BoundGraph, { query, neighbors = true, ...request }: Search) {
  const { searchRanked } = await import('../../search/search-ranked.js');
  const limit = request.limit ?? fallbackLimit;
  const { nextCursor, ...found } = await graph.read(
    (reader) =>
      fitMeshPage(
        reader,
        searchList,
        async (page) => {
          const ranked = await searchRanked(reader, query, { ...page, limit: page.limit ?? limit });
          const shown = new Set(ranked.nodes.map(({ node }) => node.id));
          if (neighbors) return withNeighbours(reader, ranked);
          const edges = ranked.edges.filter(({ from, to }) => shown.has(from) && shown.has(to));
          return withoutNeighbours({ ...ranked, edges });
        },
        { ...request, limit },
      ),
    { length: searchReadLength(query) },
  );
  return { ...found, ...markCursor(nextCursor), match: rankedMatch } as const;
}

import { z } from 'zod';
import { keepEdgesBetweenMatches } from '../../engine/read/page-edges.js';
import {
  filterMatches,
  searchList,
  searchReadLength,
  searchSubstring,
} from '../../engine/read/search-substring.js';
import { withNeighbours, withoutNeighbours } from '../../engine/read/with-neighbours.js';
import { limits } from '../../model/limits.js';
import type { Node } from '../../model/node.js';
import { zodInput } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { fitMeshPage } from './fit-mesh-page.js';
import { neighborsPageInput, pageData, toMeshGraph } from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const input = z.object({
  query: z.string().max(limits.queryLength).describe('The text to look for'),
  ...neighborsPageInput,
});

export const meshSearchNodes = defineMeshTool({
  name: 'search_nodes',
  title: 'Search nodes',
  description:
    'Find nodes that contain the query, as one piece of text and ignoring case, in their name, nodeType or metadata. ' +
    'Their immediate neighbours follow, with the edges between them. If you know the exact names, use open_nodes.',
  input: zodInput(input, 'search_nodes'),
  data: pageData,
  annotations: reads,
  action: 'read',
  async run({ graph }, { query, neighbors = true, ...request }) {
    const { warnings, ...found } = await graph.read(
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
    return {
      data: toMeshGraph(found),
      actionTaken: `Searched nodes with query: ${JSON.stringify(query)} - found ${found.matches} nodes`,
      warnings,
    };
  },
});

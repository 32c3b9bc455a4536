import { z } from 'zod';
import { pageReadLength } from '../../engine/read/page.js';
import { keepEdgesBetweenMatches } from '../../engine/read/page-edges.js';
import { graphList, readGraph as read } from '../../engine/read/read-graph.js';
import { withoutNeighbours } from '../../engine/read/with-neighbours.js';
import { estimateNodesPerPage } from '../fact-list.js';
import { zodInput } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { fitMeshPage } from './fit-mesh-page.js';
import { meshPageInput, pageData, toMeshGraph } from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const input = z.object(meshPageInput);

export const meshReadGraph = defineMeshTool({
  name: 'read_graph',
  title: 'Read graph',
  description:
    'Read the entire knowledge graph. ' +
    'On a large graph pass limit and follow nextCursor, or use search_nodes to find what you need.',
  input: zodInput(input, 'read_graph'),
  data: pageData,
  annotations: reads,
  action: 'read',
  async run({ graph }, request) {
    const { warnings, ...found } = await graph.read(
      (reader) =>
        fitMeshPage(
          reader,
          graphList,
          async (page) => withoutNeighbours(await keepEdgesBetweenMatches(reader, await read(reader, page))),
          request,
          () => estimateNodesPerPage(reader),
        ),
      { length: pageReadLength(request.limit) },
    );
    const data = toMeshGraph(found);
    return {
      data,
      actionTaken: `Read graph: ${data.nodes.length} nodes, ${data.edges.length} edges`,
      warnings,
    };
  },
});

import { z } from 'zod';
import { pageReadLength } from '../../engine/read/page.js';
import { keepEdgesBetweenMatches } from '../../engine/read/page-edges.js';
import { graphList, readGraph as read } from '../../engine/read/read-graph.js';
import { withoutNeighbours } from '../../engine/read/with-neighbours.js';
import { reads } from '../annotations.js';
import { parseArguments } from '../arguments.js';
import { nodesThatFit } from '../fact-list.js';
import { lazySchema } from '../json-schema.js';
import { fitGraph } from './fit-graph.js';
import { defineMeshTool } from './mesh-tool.js';
import { graphOf, pageData, pageInput } from './shapes.js';

const input = z.object(pageInput);

export const readGraph = defineMeshTool({
  name: 'read_graph',
  title: 'Read graph',
  description:
    'Read the entire knowledge graph. ' +
    'On a large graph pass limit and follow nextCursor, or use search_nodes to find what you need.',
  inputSchema: lazySchema(input, 'input'),
  parse: (given) => parseArguments(input, 'read_graph', given),
  data: pageData,
  annotations: reads,
  action: 'read',
  async run({ graph }, request) {
    const length = pageReadLength(request.limit);
    const { warnings, ...found } = await graph.read(
      (reader) =>
        fitGraph(
          reader,
          graphList,
          async (page) => withoutNeighbours(await keepEdgesBetweenMatches(reader, await read(reader, page))),
          request,
          { guess: () => nodesThatFit(reader) },
        ),
      { length },
    );
    const data = graphOf(found);
    return {
      data,
      actionTaken: `Read graph: ${data.nodes.length} nodes, ${data.edges.length} edges`,
      warnings,
    };
  },
});

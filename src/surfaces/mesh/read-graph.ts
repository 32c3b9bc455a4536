import { z } from 'zod';
import { readBetweenNodes } from '../../engine/read/read-between-nodes.js';
import { reads } from '../annotations.js';
import { parseArguments } from '../arguments.js';
import { refuseTooLong } from '../bounded-answer.js';
import { lazySchema } from '../json-schema.js';
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
  async run({ graph }, page) {
    const length = page.limit === undefined ? 'linear' : 'short';
    const isWhole = page.limit === undefined && page.cursor === undefined;
    const found = await graph.read(
      async (reader) => {
        if (isWhole) await refuseTooLong(reader);
        return readBetweenNodes(reader, page);
      },
      { length },
    );
    const data = graphOf(found);
    return {
      data,
      actionTaken: `Read graph: ${data.nodes.length} nodes, ${data.edges.length} edges`,
    };
  },
});

import { z } from 'zod';
import { pageReadLength } from '../../engine/read/page.js';
import { reads } from '../annotations.js';
import { defineTool } from '../tool.js';
import { fitWholeGraph } from './fit-graph.js';
import { graphOf, pageInput, pageOutput } from './shapes.js';

export const readGraph = defineTool({
  name: 'read_graph',
  title: 'Read graph',
  description:
    'Read the entire knowledge graph. ' +
    'On a large graph pass limit and follow nextCursor, or use search_nodes to find what you need.',
  input: z.object(pageInput),
  output: pageOutput,
  annotations: reads,
  action: 'read',
  async run({ graph }, { limit, cursor, entityTypes }) {
    const length = pageReadLength(limit);
    const page = { limit, cursor, types: entityTypes };
    return graphOf(await graph.read((reader) => fitWholeGraph(reader, page), { length }));
  },
});

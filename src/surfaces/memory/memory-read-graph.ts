import { z } from 'zod';
import { pageReadLength } from '../../engine/read/page.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { fitMemoryGraph } from './fit-memory-page.js';
import { memoryPageInput, pageOutput, toMemoryGraph } from './memory-shapes.js';

export const memoryReadGraph = defineTool({
  name: 'read_graph',
  title: 'Read graph',
  description:
    'Read the entire knowledge graph. ' +
    'On a large graph pass limit and follow nextCursor, or use search_nodes to find what you need.',
  input: z.object(memoryPageInput),
  output: pageOutput,
  annotations: reads,
  action: 'read',
  async run({ graph }, { limit, cursor, entityTypes }) {
    const length = pageReadLength(limit);
    const page = { limit, cursor, types: entityTypes };
    return toMemoryGraph(await graph.read((reader) => fitMemoryGraph(reader, page), { length }));
  },
});

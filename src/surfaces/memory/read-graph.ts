import { z } from 'zod';
import { readGraph as read } from '../../engine/read/read-graph.js';
import { reads } from '../annotations.js';
import { refuseTooLong } from '../bounded-answer.js';
import { defineTool } from '../tool.js';
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
    const length = limit === undefined ? 'linear' : 'short';
    const isWhole = limit === undefined && cursor === undefined && entityTypes === undefined;
    const found = await graph.read(
      async (reader) => {
        if (isWhole) await refuseTooLong(reader);
        return read(reader, { limit, cursor, types: entityTypes });
      },
      { length },
    );
    return graphOf(found);
  },
});

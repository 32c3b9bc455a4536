import { z } from 'zod';
import { openNodes as open, openList } from '../../engine/read/open-nodes.js';
import { reads } from '../annotations.js';
import { defineTool } from '../tool.js';
import { type EntityList, fitGraph } from './fit-graph.js';
import { cursor, graphOf, names, pageOutput } from './shapes.js';

export const openNodes = defineTool({
  name: 'open_nodes',
  title: 'Open nodes',
  description:
    'Open specific nodes in the knowledge graph by their names. ' +
    'Names must match exactly, and unknown ones are left out; if you only know a part, use search_nodes.',
  input: z.object({ names: names('The exact names of the entities'), cursor }),
  output: pageOutput,
  annotations: reads,
  action: 'read',
  async run({ graph }, { names, cursor }) {
    const asked = new Set(names);
    const found = await graph.read((reader) => {
      const list: EntityList = {
        name: openList,
        read: (page) => open(reader, names, page),
        keepMatches: async (nodes) => nodes.filter(({ name }) => asked.has(name)),
      };
      return fitGraph(reader, list, { cursor });
    });
    return graphOf(found);
  },
});

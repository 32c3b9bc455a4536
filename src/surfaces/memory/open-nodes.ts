import { z } from 'zod';
import { openNodes as open } from '../../engine/read/open-nodes.js';
import { reads } from '../annotations.js';
import { defineTool } from '../tool.js';
import { graphOf, graphOutput, names } from './shapes.js';

export const openNodes = defineTool({
  name: 'open_nodes',
  title: 'Open nodes',
  description:
    'Open specific nodes in the knowledge graph by their names. ' +
    'Names must match exactly, and unknown ones are left out; if you only know a part, use search_nodes.',
  input: z.object({ names: names('The exact names of the entities') }),
  output: graphOutput,
  annotations: reads,
  action: 'read',
  async run({ graph }, { names }) {
    return graphOf(await graph.read((reader) => open(reader, names)));
  },
});

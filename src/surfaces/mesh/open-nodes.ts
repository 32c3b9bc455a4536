import { z } from 'zod';
import { openNodes as open } from '../../engine/read/open-nodes.js';
import { withNeighbours, withoutNeighbours } from '../../engine/read/with-neighbours.js';
import { listNames } from '../../model/list-names.js';
import { reads } from '../annotations.js';
import { parseArguments } from '../arguments.js';
import { lazySchema } from '../json-schema.js';
import { defineMeshTool } from './mesh-tool.js';
import { neighbors } from './neighbors-input.js';
import { batch, graphData, graphOf } from './shapes.js';

const input = z.object({ names: batch(z.string(), 'The exact names of the nodes'), neighbors });

export const openNodes = defineMeshTool({
  name: 'open_nodes',
  title: 'Open nodes',
  description:
    'Open nodes by their exact names. Their immediate neighbours come after them, with the edges between. ' +
    'Unknown names are left out and said; if you only know a part of a name, use search_nodes.',
  inputSchema: lazySchema(input, 'input'),
  parse: (given) => parseArguments(input, 'open_nodes', given),
  data: graphData,
  annotations: reads,
  action: 'read',
  async run({ graph }, { names, neighbors = true }) {
    const found = await graph.read(async (reader) => {
      const asked = await open(reader, names);
      return neighbors ? withNeighbours(reader, asked) : withoutNeighbours(asked);
    });
    const opened = new Set(found.nodes.slice(0, found.matches).map(({ node }) => node.name));
    const missing = [...new Set(names)].filter((name) => !opened.has(name));
    const done = `Retrieved ${found.matches} nodes`;
    return {
      data: graphOf(found),
      actionTaken: missing.length === 0 ? done : `${done}. Not found: ${listNames(missing)}`,
    };
  },
});

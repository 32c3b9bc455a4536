import { z } from 'zod';
import { openNodes as open, openList } from '../../engine/read/open-nodes.js';
import { findMissingNames } from '../../engine/read/open-nodes-with-ordinals.js';
import { pageReadLength } from '../../engine/read/page.js';
import { keepEdgesBetweenMatches } from '../../engine/read/page-edges.js';
import { withNeighbours, withoutNeighbours } from '../../engine/read/with-neighbours.js';
import { isOfType } from '../../engine/specs.js';
import { listNames } from '../../model/list-names.js';
import type { Node } from '../../model/node.js';
import { reads } from '../annotations.js';
import { parseArguments } from '../arguments.js';
import { lazySchema } from '../json-schema.js';
import { typeInput } from '../type-inputs.js';
import { fitGraph } from './fit-graph.js';
import { defineMeshTool } from './mesh-tool.js';
import { limitWithNeighbors, neighbors } from './neighbors-input.js';
import { batch, graphOf, pageData, pageInput } from './shapes.js';

const input = z.object({
  names: batch(z.string(), 'The exact names of the nodes'),
  entityType: typeInput('Only nodes of this type, where several types have one of a name'),
  neighbors,
  ...pageInput,
  limit: pageInput.limit.describe(limitWithNeighbors),
});

export const openNodes = defineMeshTool({
  name: 'open_nodes',
  title: 'Open nodes',
  description:
    'Open nodes by their exact names. Their immediate neighbours come after them, with the edges between. ' +
    'Unknown names are left out and said; if you only know a part of a name, use search_nodes.',
  inputSchema: lazySchema(input, 'input'),
  parse: (given) => parseArguments(input, 'open_nodes', given),
  data: pageData,
  annotations: reads,
  action: 'read',
  async run({ graph }, { names, entityType: type, neighbors = true, ...request }) {
    const asked = new Set(names);
    const { found, missing } = await graph.read(
      async (reader) => ({
        missing: await findMissingNames(reader, names, type),
        found: await fitGraph(
          reader,
          openList,
          async (page) => {
            const opened = await open(reader, names, { type, ...page });
            if (neighbors) return withNeighbours(reader, opened);
            const keep = async (nodes: readonly Node[]) =>
              nodes.filter((node) => asked.has(node.name) && isOfType(node, type));
            return withoutNeighbours(await keepEdgesBetweenMatches(reader, opened, keep));
          },
          request,
        ),
      }),
      { length: pageReadLength(names.length) },
    );
    const { warnings, ...shown } = found;
    const done = `Retrieved ${found.matches} nodes`;
    return {
      data: graphOf(shown),
      actionTaken: missing.length === 0 ? done : `${done}. Not found: ${listNames(missing)}`,
      warnings,
    };
  },
});

import { z } from 'zod';
import { openNodes as open, openList } from '../../engine/read/open-nodes.js';
import { findMissingNames } from '../../engine/read/open-nodes-with-ordinals.js';
import { pageReadLength } from '../../engine/read/page.js';
import { keepEdgesBetweenMatches } from '../../engine/read/page-edges.js';
import { withNeighbours, withoutNeighbours } from '../../engine/read/with-neighbours.js';
import { isOfType } from '../../engine/specs.js';
import type { Node } from '../../model/node.js';
import { listNames } from '../../model/quoting.js';
import { batchInput, typeInput } from '../common-shapes.js';
import { zodInput } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { fitMeshPage } from './fit-mesh-page.js';
import { neighborsPageInput, pageData, toMeshGraph } from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const input = z.object({
  names: batchInput(z.string(), 'The exact names of the nodes'),
  entityType: typeInput('Only nodes of this type, if nodes of several types share a name'),
  ...neighborsPageInput,
});

export const meshOpenNodes = defineMeshTool({
  name: 'open_nodes',
  title: 'Open nodes',
  description:
    'Open nodes by their exact names, followed by their immediate neighbours and the edges between them. ' +
    'Unknown names are left out and reported; if you only know a part of a name, use search_nodes.',
  input: zodInput(input, 'open_nodes'),
  data: pageData,
  annotations: reads,
  action: 'read',
  async run({ graph }, { names, entityType: type, neighbors = true, ...request }) {
    const asked = new Set(names);
    const { found, missing } = await graph.read(
      async (reader) => ({
        missing: await findMissingNames(reader, names, type),
        found: await fitMeshPage(
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
      data: toMeshGraph(shown),
      actionTaken: missing.length === 0 ? done : `${done}. Not found: ${listNames(missing)}`,
      warnings,
    };
  },
});

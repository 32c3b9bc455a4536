import { z } from 'zod';
import { createEdgesStrict as add } from '../../engine/write/create-edges-strict.js';
import { adds } from '../annotations.js';
import { parseArguments } from '../arguments.js';
import { lazySchema } from '../json-schema.js';
import { edgeInput, givenWeight, shownWeight } from './edge-input.js';
import { defineMeshTool } from './mesh-tool.js';
import { batch, edgeOf, graphData, listEdges, specOfEdge } from './shapes.js';

const weight = shownWeight('How sure or strong it is, from 0 to 1; default: 1');
const shown = z.object({ edges: batch(z.object({ ...edgeInput, weight }), 'The edges to add') });
const accepted = z.object({ edges: batch(z.object({ ...edgeInput, weight: givenWeight }), '') });

export const addEdges = defineMeshTool({
  name: 'add_edges',
  title: 'Add edges',
  description:
    'Add directed edges between nodes that exist. All or nothing: a missing node or an edge that is there already refuses the whole call. ' +
    'For a fact about a single node use add_metadata.',
  inputSchema: lazySchema(shown, 'input'),
  parse: (given) => parseArguments(accepted, 'add_edges', given).edges.map(specOfEdge),
  data: graphData,
  annotations: adds,
  action: 'change',
  async run({ graph }, specs) {
    const added = await graph.write((tx) => add(tx, specs));
    return {
      data: { nodes: [], edges: added.map(edgeOf) },
      actionTaken: `Added edges: ${listEdges(added)}`,
    };
  },
});

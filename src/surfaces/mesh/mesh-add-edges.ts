import { z } from 'zod';
import { createEdgesStrict as add } from '../../engine/write/create-edges-strict.js';
import { adds } from '../tool-annotations.js';
import { parseArguments } from '../tool-arguments.js';
import { lazyJsonSchema } from '../tool-json-schema.js';
import { acceptedWeight, advertisedWeight, edgeInput } from './mesh-edge-shapes.js';
import { graphData, listEdges, meshBatch, meshEdgeSpec, toMeshEdge } from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const weight = advertisedWeight('How certain or strong it is, from 0 to 1; default: 1');
const shown = z.object({ edges: meshBatch(z.object({ ...edgeInput, weight }), 'The edges to add') });
const accepted = z.object({ edges: meshBatch(z.object({ ...edgeInput, weight: acceptedWeight }), '') });

export const meshAddEdges = defineMeshTool({
  name: 'add_edges',
  title: 'Add edges',
  description:
    'Add directed edges between existing nodes. All or nothing: a missing node or an existing edge rejects the whole call. ' +
    'For a fact about a single node, use add_metadata.',
  inputSchema: lazyJsonSchema(shown, 'input'),
  parse: (given) => parseArguments(accepted, 'add_edges', given).edges.map(meshEdgeSpec),
  data: graphData,
  annotations: adds,
  action: 'change',
  async run({ graph }, specs) {
    const added = await graph.write((tx) => add(tx, specs));
    return {
      data: { nodes: [], edges: added.map(toMeshEdge) },
      actionTaken: `Added edges: ${listEdges(added)}`,
    };
  },
});

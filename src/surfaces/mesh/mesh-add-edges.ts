import { z } from 'zod';
import { createEdgesStrict as add } from '../../engine/write/create-edges-strict.js';
import { batchInput } from '../common-shapes.js';
import { zodInput } from '../tool.js';
import { adds } from '../tool-annotations.js';
import {
  acceptedWeight,
  advertisedWeight,
  edgeInput,
  graphData,
  listEdges,
  meshEdgeSpec,
  toMeshEdge,
} from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const weight = advertisedWeight('How certain or strong it is, from 0 to 1; default: 1');
const shown = z.object({ edges: batchInput(z.object({ ...edgeInput, weight }), 'The edges to add') });
const accepted = z.object({ edges: batchInput(z.object({ ...edgeInput, weight: acceptedWeight }), '') });

export const meshAddEdges = defineMeshTool({
  name: 'add_edges',
  title: 'Add edges',
  description:
    'Add directed edges between existing nodes. All or nothing: a missing node or an existing edge rejects the whole call. ' +
    'For a fact about a single node, use add_metadata.',
  input: zodInput(shown, 'add_edges', accepted),
  data: graphData,
  annotations: adds,
  action: 'change',
  async run({ graph }, { edges }) {
    const added = await graph.write((tx) => add(tx, edges.map(meshEdgeSpec)));
    return {
      data: { nodes: [], edges: added.map(toMeshEdge) },
      actionTaken: `Added edges: ${listEdges(added)}`,
    };
  },
});

import { z } from 'zod';
import { type EdgeUpdateSpec, updateEdges as update } from '../../engine/write/update-edges.js';
import { TrellisError } from '../../model/error.js';
import { batchInput, storedName } from '../common-shapes.js';
import { zodInput } from '../tool.js';
import { changes } from '../tool-annotations.js';
import {
  acceptedWeight,
  advertisedWeight,
  edgeInput,
  emptyGraphData,
  graphData,
  listEdges,
  toMeshEdge,
} from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const weight = advertisedWeight(
  'New evidence, from 0 to 1: the new weight is the mean of it and the present one',
);
const shown = z.object({ edges: batchInput(z.object({ ...edgeInput, weight }), 'What to change') });

/** Clients of the original server also move edges, and call the weight newWeight. */
const movableEdge = z.object({
  ...edgeInput,
  weight: acceptedWeight,
  newWeight: acceptedWeight,
  newFrom: storedName.optional(),
  newTo: storedName.optional(),
  newEdgeType: storedName.optional(),
});
const accepted = z.object({ edges: batchInput(movableEdge, '') });

export const meshUpdateEdges = defineMeshTool({
  name: 'update_edges',
  title: 'Update edges',
  description:
    'Weigh new evidence for existing edges: a weight is averaged with the one the edge has, so 1 updated with 0.6 gives 0.8. ' +
    'To remove an edge, use delete_edges.',
  input: zodInput(shown, 'update_edges', accepted),
  data: graphData,
  annotations: changes,
  action: 'change',
  dataWithoutRead: emptyGraphData,
  async run({ graph }, { edges }) {
    const updates = edges.map(toEdgeUpdate);
    const updated = await graph.write((tx) => update(tx, updates));
    return {
      data: { nodes: [], edges: updated.map(toMeshEdge) },
      actionTaken: `Updated edges: ${listEdges(updated)}`,
    };
  },
});

function toEdgeUpdate(edge: z.output<typeof movableEdge>): EdgeUpdateSpec {
  const { from, to, edgeType, newFrom, newTo, newEdgeType, newWeight, weight = newWeight } = edge;
  if (newWeight !== undefined && newWeight !== weight) {
    throw new TrellisError('INVALID_ARGUMENT', `weight and newWeight of ${from} -> ${to} differ.`, {
      hint: 'Nothing was done. Pass only one of them: they mean the same.',
    });
  }
  return {
    ...{ from, fromType: edge.fromEntityType, to, toType: edge.toEntityType, type: edgeType },
    ...(weight === undefined ? {} : { weight }),
    ...(newFrom === undefined ? {} : { newFrom }),
    ...(newTo === undefined ? {} : { newTo }),
    ...(newEdgeType === undefined ? {} : { newType: newEdgeType }),
  };
}

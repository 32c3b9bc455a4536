import { z } from 'zod';
import { deleteEdges as remove } from '../../engine/write/delete-edges.js';
import { batchInput, endTypeInputs } from '../common-shapes.js';
import { zodInput } from '../tool.js';
import { deletes } from '../tool-annotations.js';
import { deletedData, deletedText, listEdges, meshEdgeSpec, toMeshEdgeKey } from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

/** Any three strings: what matches nothing is not an error. */
const triple = z.object({
  from: z.string().describe('The name of the node where the edge starts'),
  to: z.string().describe('The name of the node where the edge ends'),
  edgeType: z.string().describe('The type of the edge'),
  fromEntityType: endTypeInputs.from,
  toEntityType: endTypeInputs.to,
});
const input = z.object({ edges: batchInput(triple, 'The edges to delete') });

export const meshDeleteEdges = defineMeshTool({
  name: 'delete_edges',
  title: 'Delete edges',
  description:
    'Delete edges that match in all three fields; the nodes at both ends stay. ' +
    'Unknown edges are ignored and listed in not_found.',
  input: zodInput(input, 'delete_edges'),
  data: deletedData(z.object({ from: z.string(), to: z.string(), edgeType: z.string() })),
  annotations: deletes,
  action: 'change',
  async run({ graph }, { edges }) {
    const { deleted, notFound } = await graph.write((tx) => remove(tx, edges.map(meshEdgeSpec)));
    return {
      data: { deleted: deleted.map(toMeshEdgeKey), not_found: notFound.map(toMeshEdgeKey) },
      actionTaken: deletedText('edges', listEdges(deleted), listEdges(notFound)),
    };
  },
});

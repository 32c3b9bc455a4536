import { z } from 'zod';
import { deleteEdges as remove } from '../../engine/write/delete-edges.js';
import { deletes } from '../tool-annotations.js';
import { parseArguments } from '../tool-arguments.js';
import { lazyJsonSchema } from '../tool-json-schema.js';
import { endTypeInputs } from '../type-shapes.js';
import {
  deletedData,
  deletedText,
  listEdges,
  meshBatch,
  meshEdgeSpec,
  toMeshEdgeKey,
} from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

/** Any three strings, since what matches nothing is no error. */
const triple = z.object({
  from: z.string().describe('The name of the node where the edge starts'),
  to: z.string().describe('The name of the node where the edge ends'),
  edgeType: z.string().describe('The type of the edge'),
  fromEntityType: endTypeInputs.from,
  toEntityType: endTypeInputs.to,
});
const input = z.object({ edges: meshBatch(triple, 'The edges to delete') });

export const meshDeleteEdges = defineMeshTool({
  name: 'delete_edges',
  title: 'Delete edges',
  description:
    'Delete edges that match in all three fields; the nodes at both ends stay. ' +
    'Unknown edges are ignored and listed in not_found.',
  inputSchema: lazyJsonSchema(input, 'input'),
  parse: (given) => parseArguments(input, 'delete_edges', given).edges.map(meshEdgeSpec),
  data: deletedData(z.object({ from: z.string(), to: z.string(), edgeType: z.string() })),
  annotations: deletes,
  action: 'change',
  async run({ graph }, specs) {
    const { deleted, notFound } = await graph.write((tx) => remove(tx, specs));
    return {
      data: { deleted: deleted.map(toMeshEdgeKey), not_found: notFound.map(toMeshEdgeKey) },
      actionTaken: deletedText('edges', listEdges(deleted), listEdges(notFound)),
    };
  },
});

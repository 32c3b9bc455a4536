import { z } from 'zod';
import { deleteEdges as remove } from '../../engine/write/delete-edges.js';
import { deletes } from '../annotations.js';
import { parseArguments } from '../arguments.js';
import { lazySchema } from '../json-schema.js';
import { endTypeInputs } from '../type-inputs.js';
import { defineMeshTool } from './mesh-tool.js';
import { batch, deletedData, deletedText, listEdges, specOfEdge, tripleOf } from './shapes.js';

/** Any three strings, since what matches nothing is no error. */
const triple = z.object({
  from: z.string().describe('The name of the node where the edge starts'),
  to: z.string().describe('The name of the node where the edge ends'),
  edgeType: z.string().describe('The type of the edge'),
  fromEntityType: endTypeInputs.from,
  toEntityType: endTypeInputs.to,
});
const input = z.object({ edges: batch(triple, 'The edges to delete') });

export const deleteEdges = defineMeshTool({
  name: 'delete_edges',
  title: 'Delete edges',
  description:
    'Delete edges that match in all three fields; the nodes at both ends stay. ' +
    'Unknown edges are no error; not_found lists them.',
  inputSchema: lazySchema(input, 'input'),
  parse: (given) => parseArguments(input, 'delete_edges', given).edges.map(specOfEdge),
  data: deletedData(z.object({ from: z.string(), to: z.string(), edgeType: z.string() })),
  annotations: deletes,
  action: 'change',
  async run({ graph }, specs) {
    const { deleted, notFound } = await graph.write((tx) => remove(tx, specs));
    return {
      data: { deleted: deleted.map(tripleOf), not_found: notFound.map(tripleOf) },
      actionTaken: deletedText('edges', listEdges(deleted), listEdges(notFound)),
    };
  },
});

import { z } from 'zod';
import { deleteNodes as remove } from '../../engine/write/delete-nodes.js';
import { listNames } from '../../model/quoting.js';
import { batchInput, typeInput } from '../common-shapes.js';
import { zodInput } from '../tool.js';
import { deletes } from '../tool-annotations.js';
import { deletedData, deletedText } from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const input = z.object({
  nodeNames: batchInput(z.string(), 'The exact names of the nodes to delete'),
  entityType: typeInput('Only nodes of this type, if nodes of several types share a name'),
});

export const meshDeleteNodes = defineMeshTool({
  name: 'delete_nodes',
  title: 'Delete nodes',
  description:
    'Delete nodes and every edge that touches them. Unknown names are ignored and listed in not_found. ' +
    'To remove single entries, use delete_metadata.',
  input: zodInput(input, 'delete_nodes'),
  data: deletedData(z.string()),
  annotations: deletes,
  action: 'change',
  async run({ graph }, { nodeNames, entityType: type }) {
    const { deleted, notFound } = await graph.write((tx) => remove(tx, nodeNames, { stubs: false, type }));
    return {
      data: { deleted: [...deleted], not_found: [...notFound] },
      actionTaken: deletedText('nodes', listNames(deleted), listNames(notFound)),
    };
  },
});

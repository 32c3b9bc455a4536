import { z } from 'zod';
import { updateNodes as update } from '../../engine/write/update-nodes.js';
import { listNames } from '../../model/list-names.js';
import { replaces } from '../annotations.js';
import { parseArguments } from '../arguments.js';
import { lazySchema } from '../json-schema.js';
import { typeInput } from '../type-inputs.js';
import { defineMeshTool } from './mesh-tool.js';
import { batch, graphData, metadata, name, nodeName, nodeOf, nothing } from './shapes.js';

const input = z.object({
  nodes: batch(
    z.object({
      name: nodeName,
      entityType: typeInput('The kind of node it is, where several kinds have one of this name'),
      metadata: metadata(
        'All facts the node shall have; those it has now and that are not listed go',
      ).optional(),
      nodeType: name.describe('The kind of node it shall be').optional(),
    }),
    'What to change',
  ),
});

export const updateNodes = defineMeshTool({
  name: 'update_nodes',
  title: 'Update nodes',
  description:
    'Change existing nodes: metadata replaces all that a node has, nodeType its kind; edges stay. ' +
    'To add or take away single entries use add_metadata and delete_metadata.',
  inputSchema: lazySchema(input, 'input'),
  parse: (given) =>
    parseArguments(input, 'update_nodes', given).nodes.map((node) => ({
      name: node.name,
      ofType: node.entityType,
      ...(node.metadata === undefined ? {} : { facts: node.metadata }),
      ...(node.nodeType === undefined ? {} : { type: node.nodeType }),
    })),
  data: graphData,
  annotations: replaces,
  action: 'change',
  dataWithoutRead: nothing,
  async run({ graph }, updates) {
    const updated = await graph.write((tx) => update(tx, updates));
    return {
      data: { nodes: updated.map(nodeOf), edges: [] },
      actionTaken: `Updated nodes: ${listNames(updated.map((node) => node.name))}`,
    };
  },
});

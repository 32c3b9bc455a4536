import { z } from 'zod';
import { updateNodes as update } from '../../engine/write/update-nodes.js';
import { listNames } from '../../model/quoting.js';
import { replaces } from '../tool-annotations.js';
import { parseArguments } from '../tool-arguments.js';
import { lazyJsonSchema } from '../tool-json-schema.js';
import { typeInput } from '../type-shapes.js';
import {
  emptyGraphData,
  graphData,
  meshBatch,
  meshName,
  metadataInput,
  nodeName,
  toMeshNode,
} from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const input = z.object({
  nodes: meshBatch(
    z.object({
      name: nodeName,
      entityType: typeInput('The present type of the node, if nodes of several types share this name'),
      metadata: metadataInput(
        'The complete metadata of the node; existing entries that are not listed are removed',
      ).optional(),
      nodeType: meshName.describe('The new type of the node').optional(),
    }),
    'What to change',
  ),
});

export const meshUpdateNodes = defineMeshTool({
  name: 'update_nodes',
  title: 'Update nodes',
  description:
    'Change existing nodes: metadata replaces all entries of a node, nodeType its type; edges stay. ' +
    'To add or remove single entries, use add_metadata and delete_metadata.',
  inputSchema: lazyJsonSchema(input, 'input'),
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
  dataWithoutRead: emptyGraphData,
  async run({ graph }, updates) {
    const updated = await graph.write((tx) => update(tx, updates));
    return {
      data: { nodes: updated.map(toMeshNode), edges: [] },
      actionTaken: `Updated nodes: ${listNames(updated.map((node) => node.name))}`,
    };
  },
});

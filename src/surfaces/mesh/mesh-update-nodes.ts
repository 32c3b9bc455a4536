import { z } from 'zod';
import { updateNodes as update } from '../../engine/write/update-nodes.js';
import { listNames } from '../../model/quoting.js';
import { batchInput, storedName, typeInput } from '../common-shapes.js';
import { zodInput } from '../tool.js';
import { replaces } from '../tool-annotations.js';
import { emptyGraphData, graphData, metadataInput, nodeName, toMeshNode } from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const input = z.object({
  nodes: batchInput(
    z.object({
      name: nodeName,
      entityType: typeInput('The present type of the node, if nodes of several types share this name'),
      metadata: metadataInput(
        'The complete metadata of the node; existing entries that are not listed are removed',
      ).optional(),
      nodeType: storedName.describe('The new type of the node').optional(),
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
  input: zodInput(input, 'update_nodes'),
  data: graphData,
  annotations: replaces,
  action: 'change',
  dataWithoutRead: emptyGraphData,
  async run({ graph }, { nodes }) {
    const updates = nodes.map(({ name, entityType, metadata, nodeType }) => ({
      ...{ name, ofType: entityType },
      ...(metadata === undefined ? {} : { facts: metadata }),
      ...(nodeType === undefined ? {} : { type: nodeType }),
    }));
    const updated = await graph.write((tx) => update(tx, updates));
    return {
      data: { nodes: updated.map(toMeshNode), edges: [] },
      actionTaken: `Updated nodes: ${listNames(updated.map((node) => node.name))}`,
    };
  },
});

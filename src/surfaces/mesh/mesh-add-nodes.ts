import { z } from 'zod';
import { createNodesStrict as add } from '../../engine/write/create-nodes-strict.js';
import { listNames } from '../../model/quoting.js';
import { batchInput, storedName } from '../common-shapes.js';
import { zodInput } from '../tool.js';
import { adds } from '../tool-annotations.js';
import { graphData, meshNodeSpec, metadataInput, toMeshNode } from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const input = z.object({
  nodes: batchInput(
    z.object({
      name: storedName.describe('The name of the node; unique in the graph across all node types'),
      nodeType: storedName.describe('The type of the node'),
      metadata: metadataInput('Facts about the node, each "Key: Value"'),
    }),
    'The nodes to add',
  ),
});

export const meshAddNodes = defineMeshTool({
  name: 'add_nodes',
  title: 'Add nodes',
  description:
    'Add new nodes to the knowledge graph. All or nothing: a name that already exists rejects the whole call. ' +
    'To add facts to an existing node, use add_metadata; if there is an add_<type> tool for the type, use that one.',
  input: zodInput(input, 'add_nodes'),
  data: graphData,
  annotations: adds,
  action: 'change',
  async run({ graph }, { nodes }) {
    const added = await graph.write((tx) => add(tx, nodes.map(meshNodeSpec)));
    return {
      data: { nodes: added.map(toMeshNode), edges: [] },
      actionTaken: `Added nodes: ${listNames(added.map((node) => node.name))}`,
    };
  },
});

import { z } from 'zod';
import { createNodesStrict as add } from '../../engine/write/create-nodes-strict.js';
import { listNames } from '../../model/list-names.js';
import { adds } from '../annotations.js';
import { parseArguments } from '../arguments.js';
import { lazySchema } from '../json-schema.js';
import { defineMeshTool } from './mesh-tool.js';
import { batch, graphData, metadata, name, nodeOf, specOfNode } from './shapes.js';

const input = z.object({
  nodes: batch(
    z.object({
      name: name.describe('The name of the node; unique in the graph, whatever the nodeType'),
      nodeType: name.describe('The kind of node'),
      metadata: metadata('Facts about the node, each "Key: Value"'),
    }),
    'The nodes to add',
  ),
});

export const addNodes = defineMeshTool({
  name: 'add_nodes',
  title: 'Add nodes',
  description:
    'Add new nodes to the knowledge graph. All or nothing: a name that exists already refuses the whole call. ' +
    'For more about a node that exists use add_metadata; for a kind that has an add_<type> tool use that one.',
  inputSchema: lazySchema(input, 'input'),
  parse: (given) => parseArguments(input, 'add_nodes', given).nodes.map(specOfNode),
  data: graphData,
  annotations: adds,
  action: 'change',
  async run({ graph }, specs) {
    const added = await graph.write((tx) => add(tx, specs));
    return {
      data: { nodes: added.map(nodeOf), edges: [] },
      actionTaken: `Added nodes: ${listNames(added.map((node) => node.name))}`,
    };
  },
});

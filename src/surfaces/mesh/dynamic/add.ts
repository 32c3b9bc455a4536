import { addEdges } from '../../../engine/write/add-edges.js';
import { addNodes } from '../../../engine/write/add-nodes.js';
import { describeNode } from '../../../schema/json/describe-node.js';
import type { NodeSchema } from '../../../schema/json/node-schema.js';
import { type Arguments, parseAdd } from '../../../schema/json/parse-arguments.js';
import type { ListedTool } from '../../../schema/json/tool-list.js';
import { adds } from '../../annotations.js';
import type { Tool } from '../../tool.js';
import { defineMeshTool } from '../mesh-tool.js';
import { edgeOf, graphData, nodeOf } from '../shapes.js';
import { recorded } from './record-makers.js';
import type { SchemaTools } from './schema-tools.js';
import { checkTargets } from './targets.js';

/** `add_<type>`: the node and the edges its relationship properties make, in one commit. */
export function addTool(schema: NodeSchema, listed: ListedTool, tools: SchemaTools): Tool<Arguments> {
  const { type } = schema;
  return defineMeshTool({
    name: listed.name,
    countedAs: 'add_type',
    title: `Add ${type}`,
    description: listed.description,
    inputSchema: () => listed.inputSchema,
    parse: (given) => parseAdd(schema, given),
    data: graphData,
    annotations: adds,
    action: 'change',
    async run({ graph }, args) {
      const { node, edges } = describeNode(schema, args);
      const written = await graph.write(async (tx) => {
        const { warnings, typed } = await checkTargets(tx.rows, schema, args, tools);
        const nodes = await addNodes(tx, [node]);
        const specs = await recorded(tx.rows, edges);
        return { nodes, edges: specs.length === 0 ? [] : await addEdges(tx, specs.map(typed)), warnings };
      });
      return {
        data: { nodes: written.nodes.map(nodeOf), edges: written.edges.map(edgeOf) },
        actionTaken: `Created ${type}: ${args.name}`,
        warnings: written.warnings,
      };
    },
  });
}

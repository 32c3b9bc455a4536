import { createEdgesStrict } from '../../../engine/write/create-edges-strict.js';
import { createNodesStrict } from '../../../engine/write/create-nodes-strict.js';
import { draftMeshNode } from '../../../schema/mesh/mesh-node-draft.js';
import type { MeshSchema } from '../../../schema/mesh/mesh-schema.js';
import type { ListedTool } from '../../../schema/mesh/mesh-tool-list.js';
import { type MeshArguments, parseAddArguments } from '../../../schema/mesh/parse-mesh-arguments.js';
import { adds } from '../../annotations.js';
import type { Tool } from '../../tool.js';
import { defineMeshTool } from '../mesh-tool.js';
import { edgeOf, graphData, nodeOf } from '../shapes.js';
import { recorded } from './record-makers.js';
import type { SchemaTools } from './schema-tools.js';
import { checkTargets } from './targets.js';

/** `add_<type>`: the node and the edges its relationship properties make, in one commit. */
export function addTool(schema: MeshSchema, listed: ListedTool, tools: SchemaTools): Tool<MeshArguments> {
  const { type } = schema;
  return defineMeshTool({
    name: listed.name,
    countedAs: 'add_type',
    title: `Add ${type}`,
    description: listed.description,
    inputSchema: () => listed.inputSchema,
    parse: (given) => parseAddArguments(schema, given),
    data: graphData,
    annotations: adds,
    action: 'change',
    async run({ graph }, args) {
      const { node, edges } = draftMeshNode(schema, args);
      const written = await graph.write(async (tx) => {
        const { warnings, typed } = await checkTargets(tx.rows, schema, args, tools);
        const nodes = await createNodesStrict(tx, [node]);
        const specs = await recorded(tx.rows, edges);
        return {
          nodes,
          edges: specs.length === 0 ? [] : await createEdgesStrict(tx, specs.map(typed)),
          warnings,
        };
      });
      return {
        data: { nodes: written.nodes.map(nodeOf), edges: written.edges.map(edgeOf) },
        actionTaken: `Created ${type}: ${args.name}`,
        warnings: written.warnings,
      };
    },
  });
}

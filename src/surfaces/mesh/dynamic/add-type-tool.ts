import { createEdgesStrict } from '../../../engine/write/create-edges-strict.js';
import { createNodesStrict } from '../../../engine/write/create-nodes-strict.js';
import { draftMeshNode } from '../../../schema/mesh/mesh-node-draft.js';
import type { MeshSchema } from '../../../schema/mesh/mesh-schema.js';
import type { ListedTool } from '../../../schema/mesh/mesh-tool-list.js';
import { type MeshArguments, parseAddArguments } from '../../../schema/mesh/parse-mesh-arguments.js';
import type { Tool } from '../../tool.js';
import { adds } from '../../tool-annotations.js';
import { graphData, toMeshEdge, toMeshNode } from '../mesh-shapes.js';
import { defineMeshTool } from '../mesh-tool.js';
import { checkTargets } from './check-targets.js';
import type { TypesWithTools } from './find-node-of-type.js';
import { edgesWithMakers } from './record-edge-makers.js';

/** `add_<type>`: one commit with the node and the edges of its relationship properties. */
export function addTypeTool(
  schema: MeshSchema,
  listed: ListedTool,
  tools: TypesWithTools,
): Tool<MeshArguments> {
  const { type } = schema;
  return defineMeshTool({
    name: listed.name,
    metricName: 'add_type',
    title: `Add ${type}`,
    description: listed.description,
    input: { schema: () => listed.inputSchema, parse: (given) => parseAddArguments(schema, given) },
    data: graphData,
    annotations: adds,
    action: 'change',
    async run({ graph }, args) {
      const { node, edges } = draftMeshNode(schema, args);
      const written = await graph.write(async (tx) => {
        const { warnings, typed } = await checkTargets(tx.rows, schema, args, tools);
        const nodes = await createNodesStrict(tx, [node]);
        const specs = await edgesWithMakers(tx.rows, edges);
        return {
          nodes,
          edges: specs.length === 0 ? [] : await createEdgesStrict(tx, specs.map(typed)),
          warnings,
        };
      });
      return {
        data: { nodes: written.nodes.map(toMeshNode), edges: written.edges.map(toMeshEdge) },
        actionTaken: `Created ${type}: ${args.name}`,
        warnings: written.warnings,
      };
    },
  });
}

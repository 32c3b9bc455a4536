import type { Transaction } from '../../../engine/graph.js';
import { withFacts } from '../../../engine/read/facts.js';
import { createEdgesStrict } from '../../../engine/write/create-edges-strict.js';
import { deleteEdges } from '../../../engine/write/delete-edges.js';
import { updateNodes } from '../../../engine/write/update-nodes.js';
import type { Node } from '../../../model/node.js';
import { edgeMakersOf } from '../../../schema/mesh/edge-makers.js';
import { relationshipEdgeType } from '../../../schema/mesh/mesh-node-draft.js';
import { planMeshNodeUpdate } from '../../../schema/mesh/mesh-node-update.js';
import type { MeshSchema } from '../../../schema/mesh/mesh-schema.js';
import type { ListedTool } from '../../../schema/mesh/mesh-tool-list.js';
import { type MeshArguments, parseUpdateArguments } from '../../../schema/mesh/parse-mesh-arguments.js';
import type { Reader } from '../../../store/reader.js';
import type { Tool } from '../../tool.js';
import { replaces } from '../../tool-annotations.js';
import { emptyGraphData, graphData, toMeshEdge, toMeshNode } from '../mesh-shapes.js';
import { defineMeshTool } from '../mesh-tool.js';
import { checkTargets } from './check-targets.js';
import { findNodeOfType, type TypesWithTools } from './find-node-of-type.js';
import { edgesWithMakers, recordEdgeMakers } from './record-edge-makers.js';

/** `update_<type>`: replaces the given properties and the edges they made, in one commit. */
export function updateTypeTool(
  schema: MeshSchema,
  listed: ListedTool,
  tools: TypesWithTools,
): Tool<MeshArguments> {
  const { type } = schema;
  return defineMeshTool({
    name: listed.name,
    metricName: 'update_type',
    title: `Update ${type}`,
    description: listed.description,
    input: { schema: () => listed.inputSchema, parse: (given) => parseUpdateArguments(schema, given) },
    data: graphData,
    annotations: replaces,
    action: 'change',
    dataWithoutRead: emptyGraphData,
    async run({ graph }, args) {
      const { node, edges, warnings } = await graph.write((tx) => updateTypedNode(tx, schema, args, tools));
      return {
        data: { nodes: [toMeshNode(node)], edges: edges.map(toMeshEdge) },
        actionTaken: `Updated ${type}: ${args.name}`,
        warnings,
      };
    },
  });
}

async function updateTypedNode(
  tx: Transaction,
  schema: MeshSchema,
  args: MeshArguments,
  tools: TypesWithTools,
) {
  const node = await findNodeOfType(tx.rows, schema.type, args.name, tools);
  const { warnings, typed } = await checkTargets(tx.rows, schema, args, tools);
  const [current] = await withFacts(tx.rows, [node]);
  const before = await replaceableEdges(tx.rows, schema, args, node);
  const edgesBefore = before.map(({ type, toName, props }) => ({
    type,
    to: toName,
    recorded: edgeMakersOf(props),
  }));
  const stored = { name: node.name, facts: current?.facts ?? [], edges: edgesBefore };
  const revision = planMeshNodeUpdate(schema, stored, args);
  const [updated] = await updateNodes(tx, [{ name: node.name, ofType: node.type, facts: revision.facts }]);
  const removed = revision.removeEdges.map((edge) => ({ ...edge, fromType: node.type }));
  if (removed.length > 0) await deleteEdges(tx, removed);
  await recordEdgeMakers(tx, before, revision.recordEdges);
  const added = await edgesWithMakers(tx.rows, revision.addEdges);
  const edges = added.length === 0 ? [] : await createEdgesStrict(tx, added.map(typed));
  return {
    node: updated ?? { type: node.type, name: node.name, observations: revision.facts },
    edges,
    warnings,
  };
}

/** Reads edges only if the update changes a relationship. */
async function replaceableEdges(reader: Reader, schema: MeshSchema, { values }: MeshArguments, node: Node) {
  if (![...values.keys()].some((property) => relationshipEdgeType(schema, property) !== undefined)) return [];
  const edges = await reader.edgesOf([node.id]);
  return edges.filter((edge) => edge.from === node.id && edge.key === '');
}

import { draftMeshNode } from './mesh-node-draft.js';
import { parseAddFields } from './parse-mesh-arguments.js';
import type { SchemaBuilder } from './schema-builder.js';

interface SchemaNode {
  readonly name: string;
  readonly nodeType: string;
  readonly metadata: string[];
}

interface SchemaEdge {
  readonly from: string;
  readonly to: string;
  readonly edgeType: string;
}

/** The node and edges that a schema makes of these fields; throws `INVALID_ARGUMENT` if they are invalid. */
export function createSchemaNode(
  args: Readonly<Record<string, unknown>>,
  schema: SchemaBuilder,
  entityType: string,
): { nodes: SchemaNode[]; edges: SchemaEdge[] } {
  const nodeSchema = { ...schema.schema(), type: entityType };
  const { node, edges } = draftMeshNode(nodeSchema, parseAddFields(nodeSchema, args));
  return {
    nodes: [{ name: node.name, nodeType: node.type, metadata: [...node.observations] }],
    edges: edges.map(({ from, to, type }) => ({ from, to, edgeType: type })),
  };
}

import { draftMeshNode } from './mesh-node-draft.js';
import { parseAddFields } from './parse-mesh-arguments.js';
import type { SchemaBuilder } from './schema-builder.js';

/** A node as the seed writes it. */
interface SchemaNode {
  readonly name: string;
  readonly nodeType: string;
  readonly metadata: string[];
}

/** An edge as the seed writes it. */
interface SchemaEdge {
  readonly from: string;
  readonly to: string;
  readonly edgeType: string;
}

/** The node, and its edges, that these fields make by a schema (seed 3.7); throws `INVALID_ARGUMENT` if it forbids them. */
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

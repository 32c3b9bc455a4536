import type { EdgeType, GraphSchema } from './graph-schema.js';

/** The type of edge of this name, whatever its case. */
export function findEdgeType(schema: GraphSchema, name: string): EdgeType | undefined {
  return schema.edges.get(name.toLowerCase());
}

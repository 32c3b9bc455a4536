import type { ObjectJsonSchema } from '../../model/json.js';
import { addInputSchema, deleteInputSchema, updateInputSchema } from './mesh-input-schemas.js';
import type { MeshSchema } from './mesh-schema.js';

/** A tool as a list of tools shows it to an agent. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectJsonSchema;
}

/** The three tools that a schema makes (seed 5.1). */
export function listMeshTools(schema: MeshSchema): readonly ListedTool[] {
  const { type } = schema;
  return [
    { name: `add_${type}`, description: schema.description, inputSchema: addInputSchema(schema) },
    { name: `update_${type}`, description: updateDescription(type), inputSchema: updateInputSchema(schema) },
    { name: `delete_${type}`, description: deleteDescription(type), inputSchema: deleteInputSchema(schema) },
  ];
}

/** About how many tokens an agent pays for tools in its context: a token is some four characters of their JSON. */
export function estimateTokens(tools: readonly ListedTool[]): number {
  return Math.ceil(JSON.stringify(tools).length / 4);
}

function updateDescription(type: string): string {
  return `Change an existing node of type ${type}, found by its name. What is not given stays as it is; an edge made by a changed property is replaced.`;
}

function deleteDescription(type: string): string {
  return `Delete a node of type ${type}, found by its name, and every edge that touches it.`;
}

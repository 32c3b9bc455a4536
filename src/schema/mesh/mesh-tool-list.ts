import type { ObjectJsonSchema } from '../../model/json.js';
import { addInputSchema, deleteInputSchema, updateInputSchema } from './mesh-input-schemas.js';
import type { MeshSchema } from './mesh-schema.js';

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectJsonSchema;
}

export function listMeshTools(schema: MeshSchema): readonly ListedTool[] {
  const { type } = schema;
  return [
    { name: `add_${type}`, description: schema.description, inputSchema: addInputSchema(schema) },
    { name: `update_${type}`, description: updateDescription(type), inputSchema: updateInputSchema(schema) },
    { name: `delete_${type}`, description: deleteDescription(type), inputSchema: deleteInputSchema(schema) },
  ];
}

/** The approximate tokens of tools in an agent's context: about four characters of JSON each. */
export function estimateTokens(tools: readonly ListedTool[]): number {
  return Math.ceil(JSON.stringify(tools).length / 4);
}

function updateDescription(type: string): string {
  return `Change an existing node of type ${type}, identified by its name. Omitted properties are unchanged; edges created by a changed property are replaced.`;
}

function deleteDescription(type: string): string {
  return `Delete a node of type ${type}, identified by its name, and every edge that touches it.`;
}

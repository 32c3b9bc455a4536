import type { ObjectSchema } from '../../model/object-json-schema.js';
import type { NodeSchema } from './node-schema.js';
import { addInputSchema, deleteInputSchema, updateInputSchema } from './tool-input.js';

/** A tool as a list of tools shows it to an agent. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
}

/** The three tools that a schema makes (seed 5.1). */
export function toolList(schema: NodeSchema): readonly ListedTool[] {
  const { type } = schema;
  return [
    { name: `add_${type}`, description: schema.description, inputSchema: addInputSchema(schema) },
    { name: `update_${type}`, description: updateDescription(type), inputSchema: updateInputSchema(schema) },
    { name: `delete_${type}`, description: deleteDescription(type), inputSchema: deleteInputSchema(schema) },
  ];
}

/** About how many tokens an agent pays for tools in its context: a token is some four characters of their JSON. */
export function tokensOf(tools: readonly ListedTool[]): number {
  return Math.ceil(JSON.stringify(tools).length / 4);
}

function updateDescription(type: string): string {
  return `Change an existing node of type ${type}, found by its name. What is not given stays as it is; an edge made by a changed property is replaced.`;
}

function deleteDescription(type: string): string {
  return `Delete a node of type ${type}, found by its name, and every edge that touches it.`;
}

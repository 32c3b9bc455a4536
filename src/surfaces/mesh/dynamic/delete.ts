import { z } from 'zod';
import { deleteNodes } from '../../../engine/write/delete-nodes.js';
import type { NodeSchema } from '../../../schema/json/node-schema.js';
import { type Arguments, parseDelete } from '../../../schema/json/parse-arguments.js';
import type { ListedTool } from '../../../schema/json/tool-list.js';
import { deletes } from '../../annotations.js';
import type { Tool } from '../../tool.js';
import { defineMeshTool } from '../mesh-tool.js';
import { deletedData } from '../shapes.js';
import { findTyped } from './find-typed.js';
import type { SchemaTools } from './schema-tools.js';

const data = deletedData(z.string());

/** `delete_<type>`: the node of that name and type, with every edge that touches it. */
export function deleteTool(schema: NodeSchema, listed: ListedTool, tools: SchemaTools): Tool<Arguments> {
  const { type } = schema;
  return defineMeshTool({
    name: listed.name,
    countedAs: 'delete_type',
    title: `Delete ${type}`,
    description: listed.description,
    inputSchema: () => listed.inputSchema,
    parse: (given) => parseDelete(schema, given),
    data,
    annotations: deletes,
    action: 'change',
    async run({ graph }, { name }) {
      await graph.write(async (tx) => {
        await findTyped(tx.rows, type, name, tools);
        await deleteNodes(tx, [name], { type });
      });
      return { data: { deleted: [name], not_found: [] }, actionTaken: `Deleted ${type}: ${name}` };
    },
  });
}

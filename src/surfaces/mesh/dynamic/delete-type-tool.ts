import { z } from 'zod';
import { deleteNodes } from '../../../engine/write/delete-nodes.js';
import type { MeshSchema } from '../../../schema/mesh/mesh-schema.js';
import type { ListedTool } from '../../../schema/mesh/mesh-tool-list.js';
import { type MeshArguments, parseDeleteArguments } from '../../../schema/mesh/parse-mesh-arguments.js';
import type { Tool } from '../../tool.js';
import { deletes } from '../../tool-annotations.js';
import { deletedData } from '../mesh-shapes.js';
import { defineMeshTool } from '../mesh-tool.js';
import { findNodeOfType, type TypesWithTools } from './find-node-of-type.js';

const data = deletedData(z.string());

/** `delete_<type>`: deletes the node of that name and type, and its edges. */
export function deleteTypeTool(
  schema: MeshSchema,
  listed: ListedTool,
  tools: TypesWithTools,
): Tool<MeshArguments> {
  const { type } = schema;
  return defineMeshTool({
    name: listed.name,
    metricName: 'delete_type',
    title: `Delete ${type}`,
    description: listed.description,
    input: { schema: () => listed.inputSchema, parse: (given) => parseDeleteArguments(schema, given) },
    data,
    annotations: deletes,
    action: 'change',
    async run({ graph }, { name }) {
      await graph.write(async (tx) => {
        await findNodeOfType(tx.rows, type, name, tools);
        await deleteNodes(tx, [name], { type });
      });
      return { data: { deleted: [name], not_found: [] }, actionTaken: `Deleted ${type}: ${name}` };
    },
  });
}

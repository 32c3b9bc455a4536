import type { MeshCatalog } from '../../../schema/mesh/mesh-catalog.js';
import type { MeshSchema } from '../../../schema/mesh/mesh-schema.js';
import { listMeshTools } from '../../../schema/mesh/mesh-tool-list.js';
import type { Tool } from '../../tool.js';
import { addTypeTool } from './add-type-tool.js';
import { deleteTypeTool } from './delete-type-tool.js';
import type { TypesWithTools } from './find-node-of-type.js';
import { updateTypeTool } from './update-type-tool.js';

/** Three tools for each schema, in the order of the catalog. */
export function typeTools({ schemas }: MeshCatalog): readonly Tool[] {
  return [...schemas.values()].flatMap((schema) => toolsOfMeshSchema(schema, schemas));
}

function toolsOfMeshSchema(schema: MeshSchema, tools: TypesWithTools): readonly Tool[] {
  const [add, update, remove] = listMeshTools(schema);
  if (add === undefined || update === undefined || remove === undefined) return [];
  return [
    addTypeTool(schema, add, tools),
    updateTypeTool(schema, update, tools),
    deleteTypeTool(schema, remove, tools),
  ];
}

import type { MeshCatalog } from '../../../schema/mesh/mesh-catalog.js';
import type { MeshSchema } from '../../../schema/mesh/mesh-schema.js';
import { listMeshTools } from '../../../schema/mesh/mesh-tool-list.js';
import type { Tool } from '../../tool.js';
import { addTool } from './add.js';
import { deleteTool } from './delete.js';
import type { SchemaTools } from './schema-tools.js';
import { updateTool } from './update.js';

/** The tools of every schema of a catalog, three each, in the catalog's order. */
export function dynamicTools({ schemas }: MeshCatalog): readonly Tool[] {
  return [...schemas.values()].flatMap((schema) => toolsOfSchema(schema, schemas));
}

function toolsOfSchema(schema: MeshSchema, tools: SchemaTools): readonly Tool[] {
  const [add, update, remove] = listMeshTools(schema);
  if (add === undefined || update === undefined || remove === undefined) return [];
  return [addTool(schema, add, tools), updateTool(schema, update, tools), deleteTool(schema, remove, tools)];
}

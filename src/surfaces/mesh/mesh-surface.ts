import { type MeshSchemaFolder, openMeshSchemaFolder } from '../../schema/mesh/mesh-schema-folder.js';
import type { Surface, SurfaceFactory } from '../surface.js';
import type { Tool } from '../tool.js';
import { typeTools } from './dynamic/type-tools.js';
import { meshToolFailure } from './mesh-envelope.js';
import { meshInstructions } from './mesh-instructions.js';
import { meshStaticTools } from './mesh-static-tools.js';

const surfaceBase = {
  name: 'mesh',
  serverName: 'memorymesh',
  title: 'Trellis mesh',
  instructions: meshInstructions,
  resources: [],
  prompts: [],
  hidesRegistry: true,
  failure: meshToolFailure,
};

/** Nodes, weighted edges and metadata, with tools made from schema files: a drop-in for MemoryMesh. */
export const meshFactory: SurfaceFactory = {
  name: surfaceBase.name,
  async open({ settings: { schemas }, warn }): Promise<Surface> {
    if (schemas === undefined) return { ...surfaceBase, tools: meshStaticTools };
    return surfaceWithSchemas(await openMeshSchemaFolder(schemas, { warn }));
  },
};

/** The tools are made when the files have changed, and not again before. */
function surfaceWithSchemas(folder: MeshSchemaFolder): Surface {
  let from = folder.catalog.schemas;
  let tools = allTools(folder);
  return {
    ...surfaceBase,
    get tools() {
      if (from !== folder.catalog.schemas) {
        from = folder.catalog.schemas;
        tools = allTools(folder);
      }
      return tools;
    },
    onToolsChanged: (listener) => folder.onChange(listener),
    close: () => folder.close(),
  };
}

function allTools({ catalog }: MeshSchemaFolder): readonly Tool[] {
  return [...meshStaticTools, ...typeTools(catalog)];
}

import { type MeshSchemaFolder, openMeshSchemaFolder } from '../../schema/mesh/mesh-schema-folder.js';
import type { Surface, SurfaceKind } from '../surface.js';
import type { Tool } from '../tool.js';
import { dynamicTools } from './dynamic/dynamic-tools.js';
import { failure } from './envelope.js';
import { instructions } from './instructions.js';
import { staticTools } from './static-tools.js';

const fixed = {
  name: 'mesh',
  serverName: 'memorymesh',
  title: 'Trellis mesh',
  instructions,
  resources: [],
  prompts: [],
  hidesRegistry: true,
  failure,
};

/** Nodes, weighted edges and metadata, with tools made from schema files: a drop-in for MemoryMesh. */
export const meshKind: SurfaceKind = {
  name: fixed.name,
  async open({ settings: { schemas }, warn }): Promise<Surface> {
    if (schemas === undefined) return { ...fixed, tools: staticTools };
    return withSchemas(await openMeshSchemaFolder(schemas, { warn }));
  },
};

/** The tools are made when the files have changed, and not again before. */
function withSchemas(folder: MeshSchemaFolder): Surface {
  let from = folder.catalog.schemas;
  let tools = toolsOf(folder);
  return {
    ...fixed,
    get tools() {
      if (from !== folder.catalog.schemas) {
        from = folder.catalog.schemas;
        tools = toolsOf(folder);
      }
      return tools;
    },
    onToolsChanged: (listener) => folder.onChange(listener),
    close: () => folder.close(),
  };
}

function toolsOf({ catalog }: MeshSchemaFolder): readonly Tool[] {
  return [...staticTools, ...dynamicTools(catalog)];
}

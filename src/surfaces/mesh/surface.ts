import type { Surface, SurfaceKind } from '../surface.js';
import { failure } from './envelope.js';
import { instructions } from './instructions.js';
import { staticTools } from './static-tools.js';

/** Nodes, weighted edges and metadata, with tools made from schema files: a drop-in for MemoryMesh. */
export const meshKind: SurfaceKind = {
  name: 'mesh',
  async open(): Promise<Surface> {
    return {
      name: 'mesh',
      serverName: 'memorymesh',
      title: 'Trellis mesh',
      instructions,
      tools: staticTools,
      resources: [],
      prompts: [],
      failure,
    };
  },
};

import type { Tool } from '../tool.js';
import { meshAddEdges } from './mesh-add-edges.js';
import { meshAddMetadata } from './mesh-add-metadata.js';
import { meshAddNodes } from './mesh-add-nodes.js';
import { meshDeleteEdges } from './mesh-delete-edges.js';
import { meshDeleteMetadata } from './mesh-delete-metadata.js';
import { meshDeleteNodes } from './mesh-delete-nodes.js';
import { meshOpenNodes } from './mesh-open-nodes.js';
import { meshReadGraph } from './mesh-read-graph.js';
import { meshSearchNodes } from './mesh-search-nodes.js';
import { meshUpdateEdges } from './mesh-update-edges.js';
import { meshUpdateNodes } from './mesh-update-nodes.js';

/** The tools that are there whatever schemas are loaded, in the order agents see them. */
export const meshStaticTools: readonly Tool[] = [
  meshAddNodes,
  meshUpdateNodes,
  meshDeleteNodes,
  meshAddEdges,
  meshUpdateEdges,
  meshDeleteEdges,
  meshAddMetadata,
  meshDeleteMetadata,
  meshReadGraph,
  meshSearchNodes,
  meshOpenNodes,
];

import type { Tool } from '../tool.js';
import { addEdges } from './add-edges.js';
import { addMetadata } from './add-metadata.js';
import { addNodes } from './add-nodes.js';
import { deleteEdges } from './delete-edges.js';
import { deleteMetadata } from './delete-metadata.js';
import { deleteNodes } from './delete-nodes.js';
import { openNodes } from './open-nodes.js';
import { readGraph } from './read-graph.js';
import { searchNodes } from './search-nodes.js';
import { updateEdges } from './update-edges.js';
import { updateNodes } from './update-nodes.js';

/** The tools that are there whatever schemas are loaded, in the order agents see them. */
export const staticTools: readonly Tool[] = [
  addNodes,
  updateNodes,
  deleteNodes,
  addEdges,
  updateEdges,
  deleteEdges,
  addMetadata,
  deleteMetadata,
  readGraph,
  searchNodes,
  openNodes,
];

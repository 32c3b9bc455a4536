import type { Surface, SurfaceKind } from '../surface.js';
import { addObservations } from './add-observations.js';
import { createEntities } from './create-entities.js';
import { createRelations } from './create-relations.js';
import { deleteEntities } from './delete-entities.js';
import { deleteObservations } from './delete-observations.js';
import { deleteRelations } from './delete-relations.js';
import { instructions } from './instructions.js';
import { knowledgeGraph } from './knowledge-graph.js';
import { openNodes } from './open-nodes.js';
import { readGraph } from './read-graph.js';
import { rememberPrompt } from './remember-prompt.js';
import { searchNodes } from './search-nodes.js';

/** Entities, relations and observations: a drop-in for the reference memory server. */
export const memory: Surface = {
  name: 'memory',
  serverName: 'memory',
  title: 'Trellis memory',
  instructions,
  tools: [
    createEntities,
    createRelations,
    addObservations,
    deleteEntities,
    deleteObservations,
    deleteRelations,
    readGraph,
    searchNodes,
    openNodes,
  ],
  resources: [knowledgeGraph],
  prompts: [rememberPrompt],
  hidesRegistry: true,
};

/** The same on every graph. */
export const memoryKind: SurfaceKind = { name: memory.name, open: async () => memory };

import type { Surface, SurfaceFactory } from '../surface.js';
import { memoryAddObservations } from './memory-add-observations.js';
import { memoryCreateEntities } from './memory-create-entities.js';
import { memoryCreateRelations } from './memory-create-relations.js';
import { memoryDeleteEntities } from './memory-delete-entities.js';
import { memoryDeleteObservations } from './memory-delete-observations.js';
import { memoryDeleteRelations } from './memory-delete-relations.js';
import { memoryInstructions } from './memory-instructions.js';
import { memoryKnowledgeGraphResource } from './memory-knowledge-graph-resource.js';
import { memoryOpenNodes } from './memory-open-nodes.js';
import { memoryReadGraph } from './memory-read-graph.js';
import { memorySearchNodes } from './memory-search-nodes.js';
import { rememberPrompt } from './remember-prompt.js';

/** Entities, relations and observations: a drop-in for the reference memory server. */
export const memorySurface: Surface = {
  name: 'memory',
  serverName: 'memory',
  title: 'Trellis memory',
  instructions: memoryInstructions,
  tools: [
    memoryCreateEntities,
    memoryCreateRelations,
    memoryAddObservations,
    memoryDeleteEntities,
    memoryDeleteObservations,
    memoryDeleteRelations,
    memoryReadGraph,
    memorySearchNodes,
    memoryOpenNodes,
  ],
  resources: [memoryKnowledgeGraphResource],
  prompts: [rememberPrompt],
  hidesRegistry: true,
};

/** The same on every graph. */
export const memoryFactory: SurfaceFactory = { name: memorySurface.name, open: async () => memorySurface };

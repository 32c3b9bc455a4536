import type { Surface, SurfaceFactory, SurfaceSettings } from '../surface.js';
import { memoryAddObservations } from './memory-add-observations.js';
import { memoryCreateEntities } from './memory-create-entities.js';
import { memoryCreateRelations } from './memory-create-relations.js';
import { memoryDeleteEntities } from './memory-delete-entities.js';
import { memoryDeleteObservations } from './memory-delete-observations.js';
import { memoryDeleteRelations } from './memory-delete-relations.js';
import { memoryKnowledgeGraphResource } from './memory-knowledge-graph-resource.js';
import { memoryOpenNodes } from './memory-open-nodes.js';
import { memoryReadGraph } from './memory-read-graph.js';
import { memorySearchNodes } from './memory-search-nodes.js';
import { rememberPrompt } from './remember-prompt.js';

/** Short, since it is always in the context of the agent. */
const memoryInstructions = `A memory that lasts beyond this conversation: a graph of entities (people, projects, places, ideas), observations on them (one fact per string) and directed relations between them.
Before you answer, look up what is known about the user and the subject with search_nodes or open_nodes. When you learn something lasting, store it: create_entities for what is new, add_observations for new facts about what is known, create_relations for connections. Delete what turns out to be wrong.
Store only what will matter later, and nothing secret such as passwords or keys.`;

/** A drop-in for the reference memory server. */
const createMemorySurface = (settings: SurfaceSettings): Surface => ({
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
    memorySearchNodes(settings),
    memoryOpenNodes,
  ],
  resources: [memoryKnowledgeGraphResource],
  prompts: [rememberPrompt],
  hidesRegistry: true,
});

export const memorySurface = createMemorySurface({});

export const memoryFactory: SurfaceFactory = {
  name: memorySurface.name,
  open: async ({ settings }) => createMemorySurface(settings),
};

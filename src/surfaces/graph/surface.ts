import { TrellisError } from '../../model/error.js';
import type { Surface, SurfaceKind } from '../surface.js';

/** Branches, commits, schema and queries on one graph. */
export const graph: Surface = {
  name: 'graph',
  serverName: 'trellis',
  title: 'Trellis graph',
  instructions: 'A typed knowledge graph with branches and history.',
  tools: [],
  resources: [],
  prompts: [],
};

export const graphKind: SurfaceKind = {
  name: graph.name,
  async open({ store }) {
    if (!store.capabilities.branches) {
      throw new TrellisError(
        'CAPABILITY_MISSING',
        `The graph surface needs a database, not ${store.location}.`,
        {
          hint: 'Bring the file into one with: trellis import FILE --store trellis.db',
        },
      );
    }
    return graph;
  },
};

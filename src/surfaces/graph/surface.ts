import { TrellisError } from '../../model/error.js';
import type { Surface, SurfaceKind } from '../surface.js';
import { branchesCreate } from './branches-create.js';
import { branchesDelete } from './branches-delete.js';
import { branchesList } from './branches-list.js';
import { branchesMerge } from './branches-merge.js';
import { branchesResource } from './branches-resource.js';
import { commitsGet } from './commits-get.js';
import { commitsList } from './commits-list.js';
import { failureOf } from './conflicts.js';
import { ingest } from './ingest.js';
import { instructions } from './instructions.js';
import { schemaApply } from './schema-apply.js';
import { schemaGet } from './schema-get.js';
import { schemaResource } from './schema-resource.js';
import { snapshot } from './snapshot.js';

/** Branches, commits, schema and queries on one graph. */
export const graph: Surface = {
  name: 'graph',
  serverName: 'trellis',
  title: 'Trellis graph',
  instructions,
  tools: [
    snapshot,
    schemaGet,
    schemaApply(),
    ingest,
    branchesList,
    branchesCreate,
    branchesDelete,
    branchesMerge,
    commitsList,
    commitsGet,
  ],
  resources: [schemaResource, branchesResource],
  prompts: [],
  failure: failureOf,
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

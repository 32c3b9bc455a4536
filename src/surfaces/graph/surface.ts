import type { Actor } from '../../access/actor.js';
import { TrellisError } from '../../model/error.js';
import { noStoredQueries, type StoredQueries } from '../../query/stored/stored-queries.js';
import type { Surface, SurfaceContext, SurfaceKind, SurfaceSettings } from '../surface.js';
import type { Tool } from '../tool.js';
import { branchesCreate } from './branches-create.js';
import { branchesDelete } from './branches-delete.js';
import { branchesList } from './branches-list.js';
import { branchesMerge } from './branches-merge.js';
import { branchesResource } from './branches-resource.js';
import { commitsGet } from './commits-get.js';
import { commitsList } from './commits-list.js';
import { failureOf } from './conflicts.js';
import { textEmbedder } from './embed-text.js';
import { ingest } from './ingest.js';
import { instructions } from './instructions.js';
import { mutate } from './mutate.js';
import { query } from './query.js';
import { schemaApply } from './schema-apply.js';
import { schemaGet } from './schema-get.js';
import { schemaResource } from './schema-resource.js';
import { snapshot } from './snapshot.js';
import { queriesRun } from './stored/call-stored.js';
import { queriesList } from './stored/list-stored.js';
import { openQueries } from './stored/open-queries.js';
import { reservedTools, storedTools } from './stored/stored-tools.js';

/** Branches, commits, schema and queries on one graph. */
export function graphSurface(queries: StoredQueries, settings: SurfaceSettings): Surface {
  const means = { embed: textEmbedder(settings.embedding), maxRows: settings.limits?.rows };
  const adhoc: readonly Tool[] = [query(means), mutate];
  const tools: readonly Tool[] = [
    snapshot,
    schemaGet,
    schemaApply(queries, settings.embedding),
    ...adhoc,
    ingest,
    branchesList,
    branchesCreate,
    branchesDelete,
    branchesMerge,
    commitsList,
    commitsGet,
  ];
  const stored = storedTools(queries, { tools, means, as: settings.storedQueryTools });
  // Whoever is let in by a token asks what was prepared, unless the configuration says otherwise.
  const offersAdhoc = ({ source }: Actor) => settings.allowAdhoc ?? source === 'local';
  return {
    name: 'graph',
    serverName: 'trellis',
    title: 'Trellis graph',
    instructions,
    tools: [...tools, ...stored.tools],
    unlisted: [queriesList(queries.all), queriesRun(queries, means)],
    offers: (tool, { actor, may }) => (adhoc.includes(tool) ? offersAdhoc(actor) : stored.offers(tool, may)),
    resources: [schemaResource, branchesResource],
    prompts: [],
    failure: failureOf,
  };
}

/** The surface of a graph without stored queries. */
export const graph: Surface = graphSurface(noStoredQueries, {});

/** Every tool whose name a stored query cannot have. */
export const builtInTools: readonly Tool[] = reservedTools(noStoredQueries, graph.tools, {
  embed: textEmbedder(undefined),
  maxRows: undefined,
});

export const graphKind: SurfaceKind = {
  name: graph.name,
  async open(context: SurfaceContext) {
    const { store, settings } = context;
    if (!store.capabilities.branches) {
      throw new TrellisError(
        'CAPABILITY_MISSING',
        `The graph surface needs a database, not ${store.location}.`,
        {
          hint: 'Bring the file into one with: trellis import FILE --store trellis.db',
        },
      );
    }
    return graphSurface(await openQueries(context), settings);
  },
};

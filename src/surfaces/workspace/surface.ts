import { shareModelWriter } from '../../consolidation/share-model-writer.js';
import { TrellisError } from '../../model/error.js';
import { shareEmbedding } from '../../search/embedding/share-embedding.js';
import { defaultPerspectives } from '../../search/perspectives.js';
import type { SurfaceContext, SurfaceKind } from '../surface.js';
import { addObservations } from './add-observations.js';
import { createEntities } from './create-entities.js';
import { createRelations } from './create-relations.js';
import { deleteEntities } from './delete-entities.js';
import { deleteObservations } from './delete-observations.js';
import { deleteRelations } from './delete-relations.js';
import { findSimilarNodes } from './find-similar-nodes.js';
import { getConsolidationReport } from './get-consolidation-report.js';
import { getNeighborhood } from './get-neighborhood.js';
import { getNodesByType } from './get-nodes-by-type.js';
import { getOrphans } from './get-orphans.js';
import { getPath } from './get-path.js';
import { getPendingConsolidation } from './get-pending-consolidation.js';
import { getRecentlyModified } from './get-recently-modified.js';
import { getRelationGaps } from './get-relation-gaps.js';
import { getRelationsBetween } from './get-relations-between.js';
import { getStats } from './get-stats.js';
import { graphSearch } from './graph-search.js';
import { instructions } from './instructions.js';
import { openNodes } from './open-nodes.js';
import { queryObservations } from './query-observations.js';
import { recentChanges } from './recent-changes.js';
import { replaceObservation } from './replace-observation.js';
import { searchNodes } from './search-nodes.js';
import { setSummary } from './set-summary.js';
import { setTags } from './set-tags.js';
import { updateRelationType } from './update-relation-type.js';

/** A shared memory with numbered observations, search by meaning, traversal and consolidation. */
export const workspaceKind: SurfaceKind = {
  name: 'workspace',
  async open(context) {
    const { store, settings } = context;
    if (!store.capabilities.graphs) {
      throw new TrellisError(
        'CAPABILITY_MISSING',
        `The workspace surface needs a database, not ${store.location}.`,
        { hint: 'Bring the file into one with: trellis import FILE --store trellis.db' },
      );
    }
    const { search, close } = await openSearch(context);
    const writer = shareModelWriter(store, settings.llm);
    return {
      name: 'workspace',
      serverName: 'memory-workspace',
      title: 'Trellis workspace',
      instructions,
      tools: [
        createEntities,
        deleteEntities,
        openNodes,
        getNodesByType,
        getRecentlyModified,
        setSummary,
        setTags,
        addObservations,
        replaceObservation,
        deleteObservations,
        queryObservations(search),
        createRelations,
        deleteRelations,
        updateRelationType,
        getRelationsBetween,
        getNeighborhood(settings.limits?.depth),
        getPath,
        getOrphans,
        getRelationGaps,
        findSimilarNodes(search),
        searchNodes(search),
        getConsolidationReport(search, writer?.resource ?? null),
        getPendingConsolidation,
        getStats(search),
      ],
      resources: [recentChanges],
      prompts: [],
      hidesRegistry: true,
      async close() {
        await writer?.release();
        await close();
      },
    };
  },
};

/** How long a search waits for what was just written to be embedded. */
const catchUpMs = 1_000;

/** Searches the graph, and embeds in the background what is written to it, through whichever surface. */
async function openSearch({ store, graph, settings, warn }: SurfaceContext) {
  const perspectives = settings.perspectives ?? defaultPerspectives;
  const embedding = await shareEmbedding(store, settings.embedding ?? { provider: 'local' }, warn);
  if (embedding === null) {
    const search = graphSearch({ embedder: null, perspectives, catchUp: async () => true });
    return { search, close: async () => {} };
  }
  const wake = () => embedding.wake(graph.name, perspectives);
  wake();
  const forget = graph.events.onCommit(wake);
  return {
    search: graphSearch({
      ...{ embedder: embedding.embedder, perspectives },
      catchUp: () => embedding.catchUp(graph.name, catchUpMs),
    }),
    async close() {
      forget();
      await embedding.release();
    },
  };
}

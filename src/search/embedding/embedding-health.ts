import { graphNames } from '../../store/graph-names.js';
import type { Store } from '../../store/store-contract.js';
import { activeEmbeddings, type OpenEmbedding } from './share-embedding.js';

interface GraphEmbedding {
  readonly graph: string;
  /** The share of its observations that can be searched by meaning. */
  readonly coverage: number;
  /** Observations without a vector. */
  readonly backlog: number;
}

export interface EmbeddingHealth {
  readonly embedder: string;
  /** Whether the last attempt succeeded. */
  readonly isUp: boolean;
  readonly graphs: readonly GraphEmbedding[];
}

/** Does not call the embedder. */
export async function embeddingHealth(store: Store): Promise<EmbeddingHealth[]> {
  const health: EmbeddingHealth[] = [];
  const existing = new Set(await graphNames(store));
  for (const opened of await activeEmbeddings(store)) {
    const { embedder, background } = opened;
    const graphs: GraphEmbedding[] = [];
    for (const graph of background.graphs) {
      if (!existing.has(graph)) continue;
      const done = (await isComplete(opened, graph))
        ? { graph, coverage: 1, backlog: 0 }
        : await measureGraph(store, graph, opened);
      if (done !== undefined) graphs.push(done);
    }
    health.push({ embedder: embedder.id, isUp: !background.isFailing, graphs });
  }
  return health;
}

/** False too for a graph that was deleted since. */
function isComplete({ background }: OpenEmbedding, graph: string): Promise<boolean> {
  return background.isComplete(graph).catch(() => false);
}

/** Undefined for a graph that cannot be read, such as a deleted one. */
async function measureGraph(
  store: Store,
  graph: string,
  { embedder }: OpenEmbedding,
): Promise<GraphEmbedding | undefined> {
  try {
    const spaces = (await store.vectors?.spaces(graph)) ?? [];
    const own = spaces.filter(({ model }) => model === embedder.id);
    return await store.read(
      { graph },
      async (reader) => {
        const { observations } = await reader.counts();
        const counts: number[] = [];
        for (const space of own) counts.push(await reader.countEmbedded(space));
        const embedded = counts.length === 0 ? 0 : Math.min(...counts);
        const coverage = observations === 0 ? 1 : embedded / observations;
        return { graph, coverage, backlog: observations - embedded };
      },
      { length: 'linear' },
    );
  } catch {
    return undefined;
  }
}

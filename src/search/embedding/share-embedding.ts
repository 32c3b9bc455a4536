import { reasonOf } from '../../model/error.js';
import type { Store } from '../../store/store-contract.js';
import type { Embedder } from '../embedders/embedder.js';
import { type EmbedderSettings, openEmbedder } from '../embedders/open-embedder.js';
import type { Perspective } from '../perspectives.js';
import { BackgroundEmbedder } from './background-embedder.js';
import { SharedResource } from './shared-resource.js';

/** An embedder, and the work in the background that it does for a store. */
export interface SharedEmbedding {
  readonly embedder: Embedder;
  /** Says that a graph is looked at from these perspectives, and that something may have to be embedded. */
  wake(graph: string, perspectives: readonly Perspective[]): void;
  catchUp(graph: string, ms: number): Promise<boolean>;
  /** The last one to let go waits for the batch that is being embedded. */
  release(): Promise<void>;
}

/** An opened embedder, and what it does in the background. */
export interface OpenEmbedding {
  readonly embedder: Embedder;
  readonly background: BackgroundEmbedder;
  readonly perspectives: Map<string, readonly Perspective[]>;
}

const shared = new SharedResource<Promise<OpenEmbedding | null>>(async (opening) => {
  // Whoever asked for one that cannot be opened has heard of it.
  const opened = await opening.catch(() => null);
  await opened?.background.close();
});

/**
 * The embedding of a store's graphs, which all surfaces of a process share: otherwise each would embed what the others are
 * embedding, and find out for itself that a model server is down. Null if there is nothing to embed with.
 */
export async function shareEmbedding(
  store: Store,
  settings: EmbedderSettings,
  warn: (message: string) => void,
): Promise<SharedEmbedding | null> {
  const { resource, release } = shared.acquire(store, settings, () => start(store, settings, warn));
  const opened = await resource.catch(async (error: unknown) => {
    // What stood in the way may be gone next time.
    await release();
    throw error;
  });
  if (opened === null) return null;
  const { embedder, background, perspectives } = opened;
  return {
    embedder,
    wake(graph, own) {
      perspectives.set(graph, own);
      background.wake(graph);
    },
    catchUp: (graph, ms) => background.catchUp(graph, ms),
    release,
  };
}

/** What a store's texts are embedded with in this process, as far as it could be opened. */
export async function activeEmbeddings(store: Store): Promise<readonly OpenEmbedding[]> {
  const opened = await Promise.all(shared.active(store).map((opening) => opening.catch(() => null)));
  return opened.filter((one) => one !== null);
}

async function start(
  store: Store,
  settings: EmbedderSettings,
  warn: (message: string) => void,
): Promise<OpenEmbedding | null> {
  const embedder = store.vectors === null ? null : await openEmbedder(settings);
  if (embedder === null) return null;
  const perspectives = new Map<string, readonly Perspective[]>();
  const background = new BackgroundEmbedder({
    ...{ store, embedder },
    perspectivesOf: (graph) => perspectives.get(graph) ?? [],
    report: (error) => warn(`Embedding has to wait: ${reasonOf(error)}`),
  });
  return { embedder, background, perspectives };
}

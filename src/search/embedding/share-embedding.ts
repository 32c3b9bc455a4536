import { reasonOf } from '../../model/error.js';
import type { Store } from '../../store/store-contract.js';
import type { Embedder } from '../embedders/embedder.js';
import { type EmbedderSettings, openEmbedder } from '../embedders/open-embedder.js';
import type { Perspective } from '../perspectives.js';
import { BackgroundSimilarNodes } from '../similar/background-similar-nodes.js';
import { BackgroundEmbedder } from './background-embedder.js';
import { embeddingSpacesOf } from './embedding-spaces.js';
import { isReadOnlyError } from './read-only-error.js';
import { SharedResource } from './shared-resource.js';
import { EmbeddingThread } from './thread/embedding-thread.js';

export interface SharedEmbedding {
  readonly embedder: Embedder;
  /** Sets the perspectives of a graph, and schedules embedding. */
  wake(graph: string, perspectives: readonly Perspective[]): void;
  /** From now on, similar nodes of a graph are found in advance. */
  maintainSimilarNodes(graph: string): void;
  catchUp(graph: string, ms: number): Promise<boolean>;
  /** Whether only another process can embed texts, since the store is read-only here. */
  isReadOnly(): boolean;
  /** The last release waits for the current batch. */
  release(): Promise<void>;
}

export interface OpenEmbedding {
  readonly embedder: Embedder;
  readonly background: BackgroundEmbedder;
  readonly perspectives: Map<string, readonly Perspective[]>;
  readonly similar: BackgroundSimilarNodes;
  /** Graphs whose similar nodes are found in advance. */
  readonly maintained: Set<string>;
}

const shared = new SharedResource<Promise<OpenEmbedding | null>>(async (opening) => {
  // The caller has got the error of an embedder that cannot be opened.
  const opened = await opening.catch(() => null);
  opened?.similar.close();
  await opened?.background.close();
});

/**
 * One for all surfaces of a process: otherwise each would embed the same texts, and find out by itself that a model
 * server is down. Null without an embedder.
 */
export async function shareEmbedding(
  store: Store,
  settings: EmbedderSettings,
  warn: (message: string) => void,
): Promise<SharedEmbedding | null> {
  const { resource, release } = shared.acquire(store, settings, () => start(store, settings, warn));
  const opened = await resource.catch(async (error: unknown) => {
    // The next attempt may succeed.
    await release();
    throw error;
  });
  if (opened === null) return null;
  const { embedder, background, perspectives, maintained } = opened;
  return {
    embedder,
    wake(graph, own) {
      perspectives.set(graph, own);
      background.wake(graph);
    },
    maintainSimilarNodes: (graph) => void maintained.add(graph),
    catchUp: (graph, ms) => background.catchUp(graph, ms),
    isReadOnly: () => background.isReadOnly,
    release,
  };
}

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
  const perspectivesOf = (graph: string) => perspectives.get(graph) ?? [];
  const maintained = new Set<string>();
  const similar = new BackgroundSimilarNodes({
    store,
    async spacesOf(own) {
      const spaces = await embeddingSpacesOf({ embedder, perspectives: own });
      return spaces.map(({ space }) => space);
    },
    report(error) {
      if (!isReadOnlyError(error)) warn(`Similar nodes are not found in advance: ${reasonOf(error)}`);
    },
  });
  const source = store.vectors?.source;
  const background = new BackgroundEmbedder({
    ...{ store, embedder, perspectivesOf },
    completed: (graph, own) => {
      if (maintained.has(graph)) similar.wake(graph, own);
    },
    // Other embedders run elsewhere already.
    thread: settings.provider === 'local' && source !== undefined ? new EmbeddingThread(source) : undefined,
    report: (error) => warn(`Embedding is delayed: ${reasonOf(error)}`),
  });
  return { embedder, background, perspectives, similar, maintained };
}

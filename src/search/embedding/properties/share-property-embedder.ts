import type { Graph } from '../../../engine/graph.js';
import type { Store } from '../../../store/store-contract.js';
import type { Embedder } from '../../embedders/embedder.js';
import type { EmbedderSettings } from '../../embedders/open-embedder.js';
import { SharedResource } from '../shared-resource.js';
import { PropertyEmbedder } from './property-embedder.js';

interface SharedPropertyEmbedder {
  wake(graph: Graph): void;
  /** The last release waits for the current batch. */
  release(): Promise<void>;
}

const shared = new SharedResource<PropertyEmbedder>((background) => background.close());

/** One for all surfaces of a process: otherwise each would make the same vectors. */
export function sharePropertyEmbedder(
  store: Store,
  settings: EmbedderSettings,
  warn: (message: string) => void,
): SharedPropertyEmbedder {
  const { resource, release } = shared.acquire(store, settings, () => start(store, settings, warn));
  return { wake: (graph) => resource.wake(graph), release };
}

function start(
  store: Store,
  settings: EmbedderSettings,
  report: (message: string) => void,
): PropertyEmbedder {
  let opening: Promise<Embedder | null> | undefined;
  const embedder = () => {
    opening ??= import('../../embedders/open-embedder.js').then(({ openEmbedder }) => openEmbedder(settings));
    return opening;
  };
  return new PropertyEmbedder({ store, embedder, report });
}

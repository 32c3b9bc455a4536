import type { Graph } from '../../../engine/graph.js';
import type { Store } from '../../../store/contract.js';
import type { Embedder } from '../../embedders/embedder.js';
import type { EmbedderSettings } from '../../embedders/open-embedder.js';
import { PropertyEmbedder } from './property-embedder.js';

/** What fills the vectors of a store, for one of those who share it. */
export interface SharedPropertyEmbedder {
  wake(graph: Graph): void;
  /** The last one to let go waits for the batch that is being embedded. */
  release(): Promise<void>;
}

interface Opened {
  readonly background: PropertyEmbedder;
  uses: number;
}

/** What is open for each store, by the settings it was opened with. */
const open = new WeakMap<Store, Map<string, Opened>>();

/** One for all surfaces of a process: otherwise each would make the vectors that the others are making. */
export function sharePropertyEmbedder(
  store: Store,
  settings: EmbedderSettings,
  warn: (message: string) => void,
): SharedPropertyEmbedder {
  const ofStore = open.get(store) ?? new Map<string, Opened>();
  open.set(store, ofStore);
  const key = JSON.stringify(settings);
  const opened = ofStore.get(key) ?? start(store, settings, warn);
  ofStore.set(key, opened);
  opened.uses += 1;
  let released = false;
  return {
    wake: (graph) => opened.background.wake(graph),
    async release() {
      if (released) return;
      released = true;
      opened.uses -= 1;
      if (opened.uses > 0) return;
      ofStore.delete(key);
      await opened.background.close();
    },
  };
}

function start(store: Store, settings: EmbedderSettings, report: (message: string) => void): Opened {
  let opening: Promise<Embedder | null> | undefined;
  const embedder = () => {
    opening ??= import('../../embedders/open-embedder.js').then(({ openEmbedder }) => openEmbedder(settings));
    return opening;
  };
  return { background: new PropertyEmbedder({ store, embedder, report }), uses: 0 };
}

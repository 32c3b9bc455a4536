import { openExistingStore, requireGraph, withStore } from '../../config/open-configured-store.js';
import { loadSettings, type Settings } from '../../config/settings.js';
import type { Store } from '../../store/store-contract.js';
import type { CommonOptions } from '../command-options.js';

export async function withGraph<T>(
  options: CommonOptions,
  work: (store: Store, graph: string, settings: Settings) => Promise<T>,
): Promise<T> {
  const settings = await loadSettings(options);
  return withStore(openExistingStore(settings.location.value), async (store) => {
    const graph = settings.graph.value;
    await requireGraph(store, graph);
    return await work(store, graph, settings);
  });
}

import { mainBranch } from '../model/graph-record.js';
import { graphNames } from '../store/graph-names.js';
import type { Store } from '../store/store-contract.js';
import { ensureConfiguredGraphs } from './open-configured-store.js';
import { type Settings, settingsOfGraph } from './settings.js';

export interface ServedGraphs {
  readonly graphs: readonly string[];
  /** With several graphs, only an example for people. */
  readonly first: ServedGraph;
  /** `/mcp` serves the whole server: there are several graphs, and nobody chose one. */
  readonly servesAll: boolean;
}

interface ServedGraph {
  readonly graph: string;
  readonly surface: string;
}

/** Graphs that the configuration names are created; otherwise a store is served with its own, and an empty one gets `default`. */
export async function resolveServedGraphs(store: Store, settings: Settings): Promise<ServedGraphs> {
  const chosen = settings.graph;
  const held = await namesIn(store);
  const isChosen = chosen.source !== 'default';
  if (isChosen || held.length === 0) await ensureConfiguredGraphs(store, settings);
  // Configured graphs first, in their order.
  const graphs = [...new Set([...settings.graphs.keys(), ...(await namesIn(store))])];
  const name = graphs.includes(chosen.value) ? chosen.value : (graphs[0] ?? chosen.value);
  return {
    graphs,
    first: { graph: name, surface: await surfaceOf(store, settings, name) },
    servesAll: settings.hasSeveralGraphs || (!isChosen && graphs.length > 1),
  };
}

async function namesIn(store: Store): Promise<string[]> {
  return (await graphNames(store)).sort();
}

/** The default is `graph` for a typed graph, else `memory`. */
async function surfaceOf(store: Store, settings: Settings, graph: string): Promise<string> {
  const own = settings.hasSeveralGraphs ? settingsOfGraph(settings, graph).surface : settings.surface;
  if (own.source !== 'default' || !store.capabilities.schemas) return own.value;
  const schema = await store.read({ graph, branch: mainBranch }, (reader) => reader.schema());
  return schema === null ? own.value : 'graph';
}

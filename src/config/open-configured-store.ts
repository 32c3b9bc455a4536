import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { localActor } from '../access/actor.js';
import { reasonOf, TrellisError } from '../model/error.js';
import { defaultGraph } from '../model/graph-record.js';
import { didYouMean } from '../model/nearest.js';
import { shellQuote } from '../model/quoting.js';
import { compileGraphSchema } from '../schema/enforce/compile-graph-schema.js';
import { openStoreAtLocation } from '../store/open-store-at-location.js';
import type { Store } from '../store/store-contract.js';
import type { StoreOptions } from '../store/store-options.js';
import { isUrl } from './paths.js';
import type { Settings, StoreLocation } from './settings.js';

/**
 * Opens the store at a location and makes the folders above it, which are for this user alone. Whatever is opened here
 * validates writes against the schemas of its graphs.
 */
export async function openConfiguredStore(location: StoreLocation, given: StoreOptions = {}): Promise<Store> {
  const options: StoreOptions = { compileGraphSchema, ...given };
  if (!isUrl(location.path)) await makeParents(location.path);
  if (location.kind === 'file' && !/\.db$/i.test(location.path)) {
    const { openJsonlStore } = await import('../store/jsonl/jsonl-store.js');
    return openJsonlStore(location.path, options);
  }
  return openStoreAtLocation(location.path, options);
}

/** The line format of a file that a surface makes: its own, if it has one. A file that is there keeps the one it has. */
export function lineFormatForSurface(surface: string): 'memory' | 'mesh' {
  return surface === 'mesh' ? 'mesh' : 'memory';
}

/** Opens a store that must be there: a command that only reads leaves nothing behind. */
export async function openExistingStore(location: StoreLocation, options: StoreOptions = {}): Promise<Store> {
  if (!isUrl(location.path) && !(await exists(location.path))) {
    throw new TrellisError('STORE_UNAVAILABLE', `There is no store at ${location.path}.`, {
      hint: 'Name another with --file or --store, or create this one with trellis serve or trellis import.',
      details: { isMissing: true },
    });
  }
  return openConfiguredStore(location, options);
}

/**
 * Sees to it that the graphs are there: those that the configuration names are made, with the schema it gives them; without any, `default` in a new
 * store or the one nobody configured. Any other that is asked for has to be there.
 */
export async function ensureConfiguredGraphs(
  store: Store,
  { graph, graphs, location }: Settings,
): Promise<void> {
  const names = (await store.graphs()).map(({ name }) => name);
  for (const [name, { schema }] of graphs) {
    if (!names.includes(name)) await createGraphIfMissing(store, name);
    if (schema.value !== undefined) await initialise(store, name, schema.value);
  }
  if (names.includes(graph.value) || graphs.has(graph.value)) return;
  const unasked =
    graph.value === defaultGraph &&
    graphs.size === 0 &&
    (names.length === 0 || location.source === 'default');
  if (!unasked) throw graphMissing(store, graph.value, [...new Set([...names, ...graphs.keys()])].sort());
  await createGraphIfMissing(store, defaultGraph);
}

async function initialise(store: Store, graph: string, path: string): Promise<void> {
  const { initialiseGraphSchema } = await import('../schema/apply/initialise-graph-schema.js');
  await initialiseGraphSchema(store, graph, path, { actor: localActor().id, tool: 'configuration' });
}

async function createGraphIfMissing(store: Store, name: string): Promise<void> {
  try {
    await store.createGraph(name);
  } catch (error) {
    // Another process that started at the same moment was faster.
    if (!(error instanceof TrellisError && error.code === 'GRAPH_EXISTS')) throw error;
  }
}

/** Refuses a graph that is not there. */
export async function requireGraph(store: Store, graph: string, flag = '--graph'): Promise<void> {
  const names = (await store.graphs()).map(({ name }) => name);
  if (!names.includes(graph)) throw graphMissing(store, graph, names, flag);
}

function graphMissing(store: Store, graph: string, names: readonly string[], flag = '--graph'): TrellisError {
  const known = names.length === 0 ? 'It has none yet.' : `It has: ${names.join(', ')}.`;
  const meant = didYouMean(graph, names);
  return new TrellisError(
    'GRAPH_NOT_FOUND',
    `There is no graph ${graph} in ${store.location}. ${known}${meant}`,
    {
      hint: missingGraphHint(store, graph, flag),
      details: { graph, graphs: names },
    },
  );
}

/** What to do about a graph that a store does not hold; the command names the store, so that it can be copied as it stands. */
export function missingGraphHint({ capabilities, location }: Store, graph: string, flag = '--graph'): string {
  if (!capabilities.graphs) return `A JSON lines file holds only the graph ${defaultGraph}; omit ${flag}.`;
  const words = ['trellis', 'graph', 'create', graph, '--store', location].map(shellQuote).join(' ');
  return `Name another with ${flag}, or create it with: ${words}`;
}

async function makeParents(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = reasonOf(error);
    throw new TrellisError('STORE_UNAVAILABLE', `Cannot create the folder ${dirname(path)}: ${reason}`, {
      hint: 'Choose another place with --file or --store, or fix the permissions.',
      cause: error,
    });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

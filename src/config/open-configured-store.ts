import { randomBytes } from 'node:crypto';
import { link, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { localActor } from '../access/actor.js';
import { isReachable, pathExists } from '../file/path-exists.js';
import { reasonOf, TrellisError } from '../model/error.js';
import { defaultGraph } from '../model/graph-record.js';
import { didYouMean } from '../model/nearest.js';
import { shellQuote } from '../model/quoting.js';
import { compileGraphSchema } from '../schema/enforce/compile-graph-schema.js';
import { graphNames } from '../store/graph-names.js';
import { openStoreAtLocation } from '../store/open-store-at-location.js';
import type { Store } from '../store/store-contract.js';
import type { StoreOptions } from '../store/store-options.js';
import { isUrl } from './paths.js';
import type { Settings, StoreLocation } from './settings.js';

/** Creates the folders above it, for this user alone. Writes are validated against the graph schemas. */
export async function openConfiguredStore(location: StoreLocation, given: StoreOptions = {}): Promise<Store> {
  const options: StoreOptions = { compileGraphSchema, ...given };
  if (!isUrl(location.path)) await makeParents(location.path);
  if (location.kind === 'file' && !/\.db$/i.test(location.path)) {
    const { openJsonlStore } = await import('../store/jsonl/jsonl-store.js');
    return openJsonlStore(location.path, options);
  }
  return openStoreAtLocation(location.path, options);
}

/** For a new file; an existing one keeps its format. */
export function lineFormatForSurface(surface: string): 'memory' | 'mesh' {
  return surface === 'mesh' ? 'mesh' : 'memory';
}

/** For commands that only read: they must not create a store. */
export async function openExistingStore(location: StoreLocation, options: StoreOptions = {}): Promise<Store> {
  if (!isUrl(location.path) && !(await isReachable(location.path)))
    throw new TrellisError('STORE_UNAVAILABLE', `There is no store at ${location.path}.`, {
      hint: 'Name another with --file or --store, or create this one with trellis serve or trellis import.',
      details: { isMissing: true },
    });
  return openConfiguredStore(location, options);
}

/**
 * Creates the graphs that the configuration names, with their schema; without any, `default` in a new store or in the one
 * that nobody configured. Any other requested graph must exist.
 */
export async function ensureConfiguredGraphs(
  store: Store,
  { graph, graphs, location }: Settings,
): Promise<void> {
  const names = await graphNames(store);
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

export async function requireGraph(store: Store, graph: string): Promise<void> {
  const names = await graphNames(store);
  if (!names.includes(graph)) throw graphMissing(store, graph, names);
}

function graphMissing(store: Store, graph: string, names: readonly string[]): TrellisError {
  const known = names.length === 0 ? 'It has none yet.' : `It has: ${names.join(', ')}.`;
  const meant = didYouMean(graph, names);
  return new TrellisError(
    'GRAPH_NOT_FOUND',
    `There is no graph ${graph} in ${store.location}. ${known}${meant}`,
    { hint: missingGraphHint(store, graph), details: { graph, graphs: names } },
  );
}

/** The command names the store, so that it can be copied as it is. */
export function missingGraphHint({ capabilities, location }: Store, graph: string): string {
  if (!capabilities.graphs) return `A JSON lines file holds only the graph ${defaultGraph}; omit --graph.`;
  const words = ['trellis', 'graph', 'create', graph, '--store', location].map(shellQuote).join(' ');
  return `Name another with --graph, or create it with: ${words}`;
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

/**
 * A new database is created under a temporary name until the work is done, so that failed work leaves none behind. A JSON
 * lines file is created by its first commit anyway.
 */
export async function withWritableStore<T>(
  location: StoreLocation,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const { path } = location;
  if (isUrl(path) || !/\.db$/i.test(path) || (await pathExists(path)))
    return withStore(openConfiguredStore(location), work);
  const name = `${basename(path, extname(path))}.${randomBytes(6).toString('hex')}.tmp.db`;
  const temporary = join(dirname(path), name);
  try {
    const result = await withStore(openConfiguredStore({ ...location, path: temporary }), work);
    await publishFile(temporary, path);
    return result;
  } catch (error) {
    throw errorWithPath(error, temporary, path);
  } finally {
    for (const rest of ['', '-wal', '-shm']) await rm(`${temporary}${rest}`, { force: true });
  }
}

/** Closes the store after the work. */
export async function withStore<T>(opening: Promise<Store>, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await opening;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Replaces the temporary path in an error. */
function errorWithPath(error: unknown, temporary: string, path: string): unknown {
  if (!(error instanceof TrellisError)) return error;
  const { code, message, hint, details, cause } = error;
  return new TrellisError(code, message.replaceAll(temporary, path), {
    ...(hint === undefined ? {} : { hint: hint.replaceAll(temporary, path) }),
    ...(details === undefined ? {} : { details }),
    cause,
  });
}

/** Fails if another process has created the file meanwhile. */
async function publishFile(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (await pathExists(path))
      throw new TrellisError('STORE_UNAVAILABLE', `${path} was made by another process meanwhile.`, {
        hint: 'Nothing was written. Run the command again.',
        cause: error,
      });
    // Some file systems have no links.
    await rename(temporary, path);
  }
}

import { Graph } from '../../src/engine/graph.js';
import { defaultGraph } from '../../src/model/graph.js';
import type { Store } from '../../src/store/contract.js';
import { openMemorySqlite } from '../../src/store/sqlite/sqlite-store.js';
import type { ServerView } from '../../src/surfaces/call.js';
import { openSurface } from '../../src/surfaces/registry.js';
import type { Surface, SurfaceSettings } from '../../src/surfaces/surface.js';

/** A surface on the default graph of a store; left out, one in memory that is thrown away. */
export async function surfaceOn(
  name: string,
  { store, settings = {} }: { store?: Store; settings?: SurfaceSettings } = {},
): Promise<Surface> {
  const on = store ?? (await emptyStore());
  return openSurface(name, { store: on, graph: new Graph(on, defaultGraph), settings, warn: () => {} });
}

/** For tools that ask nothing of their server. */
export const noServer: ServerView = { version: '0.0.0', graphs: async () => [] };

async function emptyStore(): Promise<Store> {
  const store = await openMemorySqlite();
  await store.createGraph(defaultGraph);
  return store;
}

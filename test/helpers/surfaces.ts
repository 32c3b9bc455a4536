import type { Actor } from '../../src/access/actor.js';
import { allowAll } from '../../src/access/permission.js';
import { InFlight } from '../../src/bounds/in-flight.js';
import { Graph } from '../../src/engine/graph.js';
import { systemClock } from '../../src/model/clock.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { openInMemorySqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../src/store/store-contract.js';
import type { RequestContext, ServerInfo } from '../../src/surfaces/request-context.js';
import type { Surface, SurfaceSettings } from '../../src/surfaces/surface.js';
import { openSurface } from '../../src/surfaces/surface-registry.js';

/** Who calls the tools in tests, unless it matters. */
export const tester: Actor = { id: 'tester', groups: [], scopes: [], source: 'local' };

/** For tools that ask nothing of their server. */
const noServer: ServerInfo = { version: '0.0.0', graphs: async () => [] };

/** A surface on the default graph of a store; left out, one in memory that is thrown away. */
export async function surfaceOn(
  name: string,
  { store, settings = {} }: { store?: Store; settings?: SurfaceSettings } = {},
): Promise<Surface> {
  const on = store ?? (await emptyStore());
  return openSurface(name, { store: on, graph: new Graph(on, defaultGraph), settings, warn: () => {} });
}

/** What the calls of the tester, who may do everything, are bound to. */
export function requestContextOn(surface: Surface, graph: Graph): RequestContext {
  return {
    ...{ surface, graph, actor: tester, may: allowAll, server: noServer, clock: systemClock },
    ...{ requestId: '', calls: new InFlight(), isRemote: false, report: () => {} },
  };
}

export async function emptyStore(): Promise<Store> {
  const store = await openInMemorySqliteStore();
  await store.createGraph(defaultGraph);
  return store;
}

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveServedGraphs } from '../../src/config/resolve-served-graphs.js';
import { resolveSettings } from '../../src/config/settings.js';
import { compileGraphSchema } from '../../src/schema/enforce/compile-graph-schema.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import type { Store } from '../../src/store/store-contract.js';
import { databaseKinds, storeKinds } from '../helpers/stores.js';
import { toolNames, withClient } from './helpers.js';

let store: Store;
let servers: HttpServer[] = [];
let remove: () => Promise<void>;

async function open(place: (typeof storeKinds)[number]['place']): Promise<void> {
  const made = await place();
  remove = made.remove;
  store = await openStoreAtLocation(made.path, { compileGraphSchema });
}

afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
  await store.close();
  await remove();
});

/** The tools at `/mcp` of a server that was started as `trellis serve` does. */
async function toolsAtRoot(flags: { graph?: string; surface?: string } = {}): Promise<string[]> {
  const settings = resolveSettings(flags, { HOME: '/nowhere', TRELLIS_STORE: '/some.db' }, undefined);
  const { servesAll, first } = await resolveServedGraphs(store, settings);
  const server = await startHttpServer({ store, port: 0, root: servesAll ? 'server' : first });
  servers.push(server);
  return withClient(`${server.url}/mcp`, toolNames);
}

async function graphs(): Promise<string[]> {
  return (await store.graphs()).map(({ name }) => name).sort();
}

const serverTools = ['health', 'graphs_list'];

describe.each(storeKinds)('trust 21: a server on $kind', ({ place }) => {
  beforeEach(() => open(place));

  test('creates default in an empty store, and shows the memory tools on it', async () => {
    expect(await toolsAtRoot()).toContain('read_graph');
    expect(await graphs()).toEqual(['default']);
  });
});

describe.each(databaseKinds)('trust 21: a server on $kind', ({ place }) => {
  beforeEach(() => open(place));

  test('serves a store with several graphs and no default: /mcp shows the tools of the server', async () => {
    for (const name of ['one', 'two']) await store.createGraph(name);
    expect(await toolsAtRoot()).toEqual(serverTools);
    expect(await graphs()).toEqual(['one', 'two']);
    const [server] = servers;
    expect(await withClient(`${server?.url}/graphs/one/memory/mcp`, toolNames)).toContain('read_graph');
  });

  test('shows the tools of the server although one of several graphs is default', async () => {
    for (const name of ['default', 'two']) await store.createGraph(name);
    expect(await toolsAtRoot()).toEqual(serverTools);
    expect(await toolsAtRoot({ graph: 'two' })).toContain('read_graph');
  });

  test('shows the only graph at /mcp, whatever its name, and creates no other', async () => {
    await store.createGraph('one');
    expect(await toolsAtRoot()).toContain('read_graph');
    expect(await toolsAtRoot({ surface: 'workspace' })).toContain('get_neighborhood');
    expect(await graphs()).toEqual(['one']);
  });

  test('shows the only graph by the graph surface, with the tools of the server, if it has a schema', async () => {
    await store.createGraph('one');
    await store.write({ graph: 'one' }, { actor: 'ann', tool: 'test' }, (writer) =>
      writer.setSchema('node Person { name: String @key }'),
    );
    const tools = await toolsAtRoot();
    expect(tools.slice(0, 3)).toEqual([...serverTools, 'snapshot']);
    expect(await toolsAtRoot({ surface: 'memory' })).toContain('read_graph');
  });

  test('refuses a graph that was asked for and is not there', async () => {
    await store.createGraph('one');
    await expect(toolsAtRoot({ graph: 'two' })).rejects.toThrow('There is no graph two');
    expect(await graphs()).toEqual(['one']);
  });
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import type { Store } from '../../src/store/store-contract.js';
import { databaseKinds, openWithGraph, type Scratch, scratchStore } from '../helpers/stores.js';
import { callBody, hear, listenRequest, rpcHeaders } from './helpers.js';

const soon = { timeout: 60_000, interval: 50 };

describe.each(databaseKinds)('trust 22: a graph that another process changes on $kind', (kind) => {
  let scratch: Scratch;
  let server: HttpServer;
  let elsewhere: Store;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    await scratch.store.createGraph('one');
    elsewhere = await openWithGraph(scratch.path);
    server = await startHttpServer({
      store: scratch.store,
      port: 0,
      root: { graph: 'one', surface: 'memory' },
    });
  });
  afterEach(async () => {
    await server.close();
    await elsewhere.close();
    await scratch.dispose();
  });

  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

  function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(server.url + path, { method: 'POST', headers: { ...rpcHeaders, ...headers }, body });
  }

  const workspace = { 'X-Memory-Workspace': 'one' };
  const routes: readonly (() => Promise<Response>)[] = [
    () => post('/mcp', list),
    () => post('/mcp', list, workspace),
    () => post('/graphs/one/mcp', list),
    () => post('/graphs/one/memory/mcp', callBody('read_graph')),
    () => fetch(`${server.url}/graphs/one/snapshot`),
    () => fetch(`${server.url}/graphs/one/export`),
    () => post('/graphs/one/query', '{}'),
    () => fetch(`${server.url}/sse`, { headers: workspace }),
  ];

  async function statuses(): Promise<number[]> {
    const answers = await Promise.all(routes.map((ask) => ask()));
    await Promise.all(answers.map(({ body }) => body?.cancel()));
    return answers.map(({ status }) => status);
  }

  test.each([
    ['deleted', () => elsewhere.deleteGraph('one')],
    ['renamed', () => elsewhere.renameGraph('one', 'uno')],
  ])('is a 404 on every route once it is %s', async (_, change) => {
    expect(await statuses()).not.toContain(404);
    await change();
    await vi.waitFor(async () => expect(await statuses()).toEqual(routes.map(() => 404)), soon);
  });

  test('takes the streams with it that are open on it', async () => {
    const stream = hear(await fetch(`${server.url}/sse`, { headers: workspace }));
    await vi.waitFor(() => expect(stream.text).toContain('sessionId='), soon);
    const address = /data: (\S+)/.exec(stream.text)?.[1] ?? '';
    const listener = hear(
      await fetch(`${server.url}/graphs/one/mcp`, listenRequest(['trellis://schema'], {})),
    );
    expect((await post(address, list, workspace)).status).toBe(202);
    expect(listener.ended).toBe(false);
    await elsewhere.deleteGraph('one');
    await vi.waitFor(() => expect([stream.ended, listener.ended]).toEqual([true, true]), soon);
    // fetch may pick a connection that the server is closing with its stream: try again then.
    await vi.waitFor(async () => expect((await post(address, list, workspace)).status).toBe(404), soon);
  });

  test('is the new graph of that name once another has taken its place', async () => {
    const write = callBody('create_entities', {
      entities: [{ name: 'Ada', entityType: 'person', observations: [] }],
    });
    expect((await post('/graphs/one/memory/mcp', write)).status).toBe(200);
    const schema = async () => (await fetch(`${server.url}/graphs/one/schema`)).text();
    expect(await schema()).not.toContain('Person');
    await elsewhere.deleteGraph('one');
    await elsewhere.createGraph('one');
    await elsewhere.write({ graph: 'one' }, { actor: 'ann', tool: 'test' }, (writer) =>
      writer.setSchema('node Person { name: String @key }'),
    );
    await vi.waitFor(async () => expect(await schema()).toContain('Person'), soon);
    const answer = await post('/graphs/one/memory/mcp', callBody('read_graph'));
    expect(await answer.text()).not.toContain('Ada');
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { eras } from '../helpers/eras.js';
import { entity } from '../helpers/memory-tools.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, rpcHeaders, toolNames, withClient, withSseClient } from './helpers.js';

let scratch: Scratch;
let server: HttpServer;

beforeEach(async () => {
  scratch = await scratchStore(sqlite);
  await scratch.store.createGraph('work');
  server = await startHttpServer({ store: scratch.store, port: 0, report: () => {} });
});
afterEach(async () => {
  await server.close();
  await scratch.dispose();
});

const create = { name: 'create_entities', arguments: { entities: [entity('Ada')] } };
const read = { name: 'read_graph', arguments: {} };
const createInWorkspace = {
  name: 'create_entities',
  arguments: { entities: [{ name: 'Ada', entity_type: 'person' }] },
};
const openInWorkspace = { name: 'open_nodes', arguments: { names: ['Ada'] } };

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, { method: 'POST', headers: { ...rpcHeaders, ...headers }, body });
}

describe.each(eras)('/mcp in the $era protocol', (era) => {
  test('with X-Memory-Workspace is that workspace', async () => {
    const headers = { 'X-Memory-Workspace': 'work' };
    await withClient(`${server.url}/mcp`, (client) => client.callTool(createInWorkspace), {
      era,
      headers,
    });
    const there = await withClient(`${server.url}/mcp`, (client) => client.callTool(openInWorkspace), {
      era,
      headers,
    });
    const elsewhere = await withClient(`${server.url}/mcp`, (client) => client.callTool(read), { era });
    expect(there.structuredContent).toMatchObject({ entities: [{ name: 'Ada' }] });
    expect(elsewhere.structuredContent).toMatchObject({ entities: [] });
  });
});

describe('X-Memory-Workspace', () => {
  test('that is empty is refused', async () => {
    const response = await post('/mcp', callBody('read_graph'), { 'X-Memory-Workspace': ' ' });
    expect(response.status).toBe(400);
  });

  test('that names no graph is not there', async () => {
    const response = await post('/mcp', callBody('read_graph'), { 'X-Memory-Workspace': 'nowhere' });
    expect(response.status).toBe(404);
  });
});

describe('trust 22: a request that names two graphs', () => {
  const other = { 'X-Memory-Workspace': 'default' };
  const same = { 'X-Memory-Workspace': 'work' };
  const routes: readonly (readonly [string, string])[] = [
    ['POST', '/graphs/work/mcp'],
    ['POST', '/graphs/work/memory/mcp'],
    ['GET', '/graphs/work/snapshot'],
    ['POST', '/graphs/work/mutate'],
    ['POST', '/graphs/work/ingest'],
    ['GET', '/graphs/work/export'],
    ['PATCH', '/graphs/work'],
    ['DELETE', '/graphs/work?confirm=work'],
  ];

  test.each(routes)('in its path and its header is refused: %s %s', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{"name":"new"}' };
    const answer = await fetch(server.url + path, { method, headers: { ...rpcHeaders, ...other }, ...body });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toMatch(
      /two graphs: the path says \\*"work\\*", and X-Memory-Workspace says/,
    );
    expect((await scratch.store.graphs()).map(({ name }) => name).sort()).toEqual(['default', 'work']);
  });

  test('is answered if both are the same', async () => {
    expect((await post('/graphs/work/memory/mcp', callBody('read_graph'), same)).status).toBe(200);
    expect((await fetch(`${server.url}/graphs/work/snapshot`, { headers: same })).status).toBe(200);
  });

  test('and so is one that names two branches', async () => {
    await scratch.store.createBranch('work', 'draft');
    const headers = { 'X-Trellis-Branch': 'main' };
    for (const path of ['/graphs/work/memory/mcp', '/mcp'])
      expect((await post(`${path}?branch=draft`, callBody('read_graph'), headers)).status).toBe(400);
    const rest = await fetch(`${server.url}/graphs/work/snapshot?branch=draft`, { headers });
    expect(rest.status).toBe(400);
    expect(await rest.text()).toContain('The request names two branches');
  });
});

describe('trust 22: an address with a parameter that means nothing there', () => {
  test.each(['/mcp', '/graphs/work/mcp', '/graphs/work/memory/mcp'])('is refused: %s', async (path) => {
    const body = callBody('create_entities', {
      entities: [{ name: 'Ann', entityType: 'person', observations: [] }],
    });
    const answer = await post(`${path}?brnach=draft`, body);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Did you mean \\"branch\\"?');
    expect((await post(`${path}?branch=main&branch=main`, body)).status).toBe(400);
  });

  test('is refused for a stream of events too', async () => {
    const headers = { 'X-Memory-Workspace': 'work' };
    expect((await fetch(`${server.url}/sse?brnach=draft`, { headers })).status).toBe(400);
  });
});

describe('a server of several graphs', () => {
  let several: HttpServer;
  beforeEach(async () => {
    several = await startHttpServer({ store: scratch.store, port: 0, root: 'server' });
  });
  afterEach(() => several.close());

  test('shows its own tools alone at /mcp', async () => {
    await withClient(`${several.url}/mcp`, async (client) => {
      expect(await toolNames(client)).toEqual(['health', 'graphs_list']);
      const { structuredContent } = await client.callTool({ name: 'graphs_list', arguments: {} });
      expect(structuredContent).toEqual({ graphs: [{ graph_id: 'default' }, { graph_id: 'work' }] });
      const health = await client.callTool({ name: 'health', arguments: {} });
      expect(health.structuredContent).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+/) });
    });
  });

  test('shows the tools of one graph at its path, and not its own', async () => {
    const names = await withClient(`${several.url}/graphs/work/mcp`, toolNames);
    expect(names).not.toContain('health');
    expect(names).not.toContain('graphs_list');
  });

  test('lists its graphs as a resource', async () => {
    await withClient(`${several.url}/mcp`, async (client) => {
      const { contents } = await client.readResource({ uri: 'trellis://graphs' });
      expect(contents).toMatchObject([{ text: expect.stringContaining('"work"') }]);
    });
  });
});

test('idle connections stay open longer than proxies keep them, so that no request is lost', async () => {
  const { headers } = await fetch(`${server.url}/healthz`);
  expect(headers.get('keep-alive')).toBe('timeout=75');
});

test('the graph surface of a graph answers health and graphs_list without listing them', async () => {
  for (const path of ['/graphs/work/graph/mcp', '/graphs/work/graph/mcp?branch=main'])
    await withClient(`${server.url}${path}`, async (client) => {
      const names = await toolNames(client);
      expect(names).toContain('snapshot');
      expect(names).not.toContain('health');
      const health = await client.callTool({ name: 'health', arguments: {} });
      expect(health.structuredContent).toMatchObject({ status: 'ok' });
      const graphs = { graphs: [{ graph_id: 'default' }, { graph_id: 'work' }] };
      const listed = await client.callTool({ name: 'graphs_list', arguments: {} });
      expect(listed.structuredContent).toEqual(graphs);
      const { contents } = await client.readResource({ uri: 'omnigraph://graphs' });
      expect(contents).toMatchObject([{ text: expect.stringContaining('"work"') }]);
    });
  await withClient(`${server.url}/graphs/work/memory/mcp`, (client) =>
    expect(client.callTool({ name: 'health', arguments: {} })).rejects.toThrow('unknown tool'),
  );
});

test('the single graph of a server shows the tools of the server at /mcp too, if its surface is graph, and there alone', async () => {
  const single = await startHttpServer({
    store: scratch.store,
    port: 0,
    root: { graph: 'work', surface: 'graph' },
  });
  try {
    const names = await withClient(`${single.url}/mcp`, toolNames);
    expect(names.slice(0, 2)).toEqual(['health', 'graphs_list']);
    expect(await withClient(`${single.url}/graphs/work/mcp`, toolNames)).toEqual(names.slice(2));
  } finally {
    await single.close();
  }
});

describe('branches', () => {
  beforeEach(async () => {
    await scratch.store.createBranch('work', 'draft');
  });

  test.each([
    ['?branch=', (path: string) => [`${path}?branch=draft`, {}] as const],
    ['X-Trellis-Branch', (path: string) => [path, { 'X-Trellis-Branch': 'draft' }] as const],
  ])('%s says which one is meant', async (_, at) => {
    const [path, headers] = at('/graphs/work/memory/mcp');
    await withClient(server.url + path, (client) => client.callTool(create), { headers });
    const draft = await withClient(server.url + path, (client) => client.callTool(read), { headers });
    const main = await withClient(`${server.url}/graphs/work/memory/mcp`, (client) => client.callTool(read));
    expect(draft.structuredContent).toMatchObject({ entities: [{ name: 'Ada' }] });
    expect(main.structuredContent).toMatchObject({ entities: [] });
  });

  test('one that is not there is refused', async () => {
    const response = await post('/graphs/work/memory/mcp?branch=none', callBody('read_graph'));
    expect(response.status).toBe(404);
  });
});

describe('SSE', () => {
  const headers = { 'X-Memory-Workspace': 'work' };

  test('a client of the older transport reads and writes its workspace', async () => {
    const answer = await withSseClient(
      `${server.url}/sse`,
      async (client) => {
        await client.callTool(createInWorkspace);
        return client.callTool(openInWorkspace);
      },
      headers,
    );
    expect(answer.structuredContent).toMatchObject({ entities: [{ name: 'Ada' }] });
  });

  test('is told of changes made elsewhere', async () => {
    await withSseClient(
      `${server.url}/sse`,
      async (client) => {
        const heard = new Promise<string>((resolve) => {
          client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
            resolve(params.uri),
          );
        });
        await client.subscribeResource({ uri: 'memory://recent-changes' });
        await withClient(`${server.url}/graphs/work/memory/mcp`, (other) => other.callTool(create));
        expect(await heard).toBe('memory://recent-changes');
      },
      headers,
    );
  });

  test('without a workspace is refused', async () => {
    for (const response of [
      await fetch(`${server.url}/sse`),
      await post('/sse/messages/?sessionId=1', '{}'),
    ]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: 'Missing required header: X-Memory-Workspace' });
    }
  });

  test('a workspace that is not there is not there', async () => {
    const response = await fetch(`${server.url}/sse`, { headers: { 'X-Memory-Workspace': 'nowhere' } });
    expect(response.status).toBe(404);
  });

  test('a message for another workspace than that of the stream is refused', async () => {
    const stream = await fetch(`${server.url}/sse`, { headers });
    const reader = stream.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const path = /data: (.*)/.exec(first)?.[1] ?? '';
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect((await post(path, body, { 'X-Memory-Workspace': 'default' })).status).toBe(400);
    expect((await post(path, body, headers)).status).toBe(202);
    expect((await post('/sse/messages/?sessionId=unknown', body, headers)).status).toBe(404);
    await reader?.cancel();
  });
});

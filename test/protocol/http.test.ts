import { request } from 'node:http';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/model/limits.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import type { MemoryEntity } from '../../src/surfaces/memory/memory-shapes.js';
import { clientOf } from '../helpers/eras.js';
import { entity, MemoryTools, namesOf } from '../helpers/memory-tools.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';

let scratch: Scratch;
let server: HttpServer;

beforeEach(async () => {
  scratch = await scratchStore(sqlite);
  server = await startHttpServer({ store: scratch.store, port: 0, report: () => {} });
});
afterEach(async () => {
  await server.close();
  await scratch.dispose();
});

const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

function call(name: string, args: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
}

function post(body: string, extra: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/mcp`, { method: 'POST', headers: { ...headers, ...extra }, body });
}

/** `fetch` sets Host and Origin itself, so these go by hand. */
function send(path: string, extra: Record<string, string>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.url}${path}`, { headers: extra }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    outgoing.once('error', reject).end();
  });
}

async function connected<T>(path: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = clientOf({ era: '2026', mode: { pin: '2026-07-28' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url + path)));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

describe('the HTTP server', () => {
  test('listens on loopback only', async () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await expect(startHttpServer({ store: scratch.store, host: '0.0.0.0', port: 0 })).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  test('says when its port is taken', async () => {
    const port = Number(new URL(server.url).port);
    await expect(startHttpServer({ store: scratch.store, port })).rejects.toThrow(/in use/);
  });

  test('is alive', async () => {
    const response = await fetch(`${server.url}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: 'ok' });
  });

  test.each(['GET', 'DELETE', 'PUT'])('answers %s on /mcp with 405', async (method) => {
    const response = await fetch(`${server.url}/mcp`, { method, headers });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  test('serves any surface on any graph at a path of its own', async () => {
    await scratch.store.createGraph('work');
    await connected('/graphs/work/memory/mcp', (client) =>
      client.callTool({ name: 'create_entities', arguments: { entities: [entity('Ada')] } }),
    );
    const names = (graph: string) =>
      connected(`/graphs/${graph}/memory/mcp`, async (client) => {
        const { structuredContent } = await client.callTool({ name: 'read_graph', arguments: {} });
        return namesOf(structuredContent as { entities: MemoryEntity[] });
      });
    expect(await names('work')).toEqual(['Ada']);
    expect(await names('default')).toEqual([]);
  });

  test.each([
    ['/graphs/nowhere/memory/mcp', /no graph named "nowhere".*trellis graph create/],
    ['/graphs/default/nothing/mcp', /no surface named "nothing".*Use one of: memory/],
  ])('%s is not there', async (path, message) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers,
      body: call('read_graph', {}),
    });
    expect(response.status).toBe(404);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toMatch(message);
  });

  test('each graph has settings of its own', async () => {
    await scratch.store.createGraph('work');
    const asked: string[] = [];
    const settings = (graph: string) => {
      asked.push(graph);
      return {};
    };
    const own = await startHttpServer({ store: scratch.store, port: 0, settings });
    const body = call('read_graph', {});
    await fetch(`${own.url}/graphs/work/memory/mcp`, { method: 'POST', headers, body });
    await own.close();
    expect(asked).toEqual(['default', 'work']);
  });

  test('a graph that is made later is found', async () => {
    const ask = () =>
      fetch(`${server.url}/graphs/later/memory/mcp`, {
        method: 'POST',
        headers,
        body: call('read_graph', {}),
      });
    expect((await ask()).status).toBe(404);
    await scratch.store.createGraph('later');
    expect((await ask()).status).toBe(200);
  });

  test('answers other paths with 404', async () => {
    expect((await fetch(`${server.url}/other`)).status).toBe(404);
  });

  test.each([
    ['evil.example'],
    ['evil.example:8765'],
    ['127.0.0.1.evil.example'],
    ['localhost.evil.example'],
    ['0.0.0.0'],
  ])('refuses the Host %s', async (host) => {
    for (const path of ['/mcp', '/metrics']) {
      const { status, body } = await send(path, { Host: host });
      expect(status).toBe(403);
      expect(JSON.parse(body).error.message).toMatch(/Invalid Host/);
    }
  });

  test('answers probes, which call it by its address', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect((await send(path, { Host: '10.1.2.3:8765' })).status).toBe(200);
  });

  test.each(['https://evil.example', 'http://localhost.evil.example', 'null', 'file://'])(
    'refuses the Origin %s',
    async (origin) => {
      const { status, body } = await send('/healthz', { Origin: origin });
      expect(status).toBe(403);
      expect(JSON.parse(body).error.message).toMatch(/Origin/);
    },
  );

  test.each([
    { Host: 'localhost:1' },
    { Host: '[::1]:8765' },
    { Origin: 'http://localhost:3000' },
    { Origin: 'http://127.0.0.1' },
  ])('answers %o', async (extra) => {
    expect((await send('/healthz', { ...extra })).status).toBe(200);
  });

  test('refuses a body that is too long, naming the bound', async () => {
    const response = await post(call('search_nodes', { query: 'x'.repeat(limits.requestBytes) }));
    expect(response.status).toBe(413);
    expect(await response.text()).toContain(String(limits.requestBytes));
  });

  test('takes a body of 3 MB', async () => {
    const response = await post(
      call('create_entities', { entities: [entity('big', ['x'.repeat(3_000_000)])] }),
    );
    expect(response.status).toBe(200);
    await response.text();
    expect((await new MemoryTools(scratch.store).open('big')).entities).toHaveLength(1);
  });

  test.each([
    ['what is not JSON', '{'],
    ['an empty body', ''],
    ['a number', '1'],
  ])('refuses %s', async (_, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: expect.any(Number) } });
  });

  test('refuses a body that does not say it is JSON', async () => {
    expect((await post(call('read_graph', {}), { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  test('very deep JSON is answered with an error, and the server goes on', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_nodes","arguments":{"names":${deep}}}}`;
    expect(await (await post(body)).text()).toMatch(/error/i);
    expect(await (await post(deep)).text()).toMatch(/error/i);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  test('closes although a client is listening for updates, and tells it', async () => {
    const client = clientOf({ era: '2026', mode: { pin: '2026-07-28' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
    const subscription = await client.listen({ resourceSubscriptions: ['memory://knowledge-graph'] });
    await server.close();
    expect(await subscription.closed).toBe('graceful');
    await client.close();
  });

  test('finishes the calls in progress before it closes', async () => {
    const answers = Array.from({ length: 20 }, (_, index) =>
      post(call('create_entities', { entities: [entity(`node ${index}`)] })).then((response) =>
        response.text(),
      ),
    );
    await Promise.race(answers);
    await server.close();
    const outcomes = await Promise.allSettled(answers);
    const acknowledged = outcomes.filter(
      (outcome) => outcome.status === 'fulfilled' && outcome.value.includes('structuredContent'),
    ).length;
    const { entities } = await new MemoryTools(scratch.store).readGraph();
    expect(entities).toHaveLength(acknowledged);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });
});

import { PassThrough } from 'node:stream';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { serveStdio } from '../../src/server/stdio/serve-stdio.js';
import { clientOf, eras } from '../helpers/eras.js';
import { entity } from '../helpers/memory-tools.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, hear, listenRequest } from '../server/helpers.js';

let scratch: Scratch;
let server: HttpServer;
let reported: unknown[];

beforeEach(async () => {
  reported = [];
  scratch = await scratchStore(sqlite);
  server = await startHttpServer({
    store: scratch.store,
    port: 0,
    report: (error) => reported.push(error),
  });
});
afterEach(async () => {
  await server.close();
  await scratch.dispose();
});

/** Sends a body without a word about what is accepted, unless it is given. */
function post(body: string, accept?: string): Promise<Response> {
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(accept === undefined ? {} : { Accept: accept }) },
    body,
  });
}

const message = (method: string, params: object, id?: number) => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  method,
  params,
});

const initialize = message(
  'initialize',
  { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
  1,
);

describe('trust 11: a POST of the 2025 protocol is answered as JSON', () => {
  test.each(['application/json, text/event-stream', 'application/json', 'application/*', '*/*'])(
    'Accept: %s',
    async (accept) => {
      for (const body of [
        JSON.stringify(initialize),
        callBody('create_entities', { entities: [entity('Ada')] }),
      ]) {
        const response = await post(body, accept);
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe('application/json');
        expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 1, result: expect.anything() });
      }
      expect(reported).toEqual([]);
    },
  );

  test('a client that does not accept JSON is told to', async () => {
    const response = await post(callBody('read_graph'), 'text/event-stream');
    expect(response.status).toBe(406);
    expect(await response.text()).toContain('Accept: application/json');
  });

  test('an answer of 4 MB is one JSON text, and no event', async () => {
    await post(callBody('create_entities', { entities: [entity('big', ['x'.repeat(2_000_000)])] }));
    const response = await post(callBody('open_nodes', { names: ['big'] }), 'application/json');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect((await response.text()).length).toBeGreaterThan(4_000_000);
  });

  test('a batch is answered as a list, although it cancels a call of its own', async () => {
    const call = (id: number) => message('tools/call', { name: 'read_graph', arguments: {} }, id);
    const cancel = message('notifications/cancelled', { requestId: 2 });
    const response = await post(JSON.stringify([call(1), call(2), cancel]), 'application/json');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  test('notifications alone are accepted without an answer', async () => {
    const response = await post(JSON.stringify(message('notifications/initialized', {})), 'application/json');
    expect(response.status).toBe(202);
    expect(await response.text()).toBe('');
  });
});

describe.each(eras)('a client of $era', (era) => {
  test('trust 11: gets every answer as JSON', async () => {
    const types: (string | null)[] = [];
    const client = clientOf(era);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
        async fetch(url, init) {
          const response = await fetch(url, init);
          if (init?.method === 'POST' && response.status === 200)
            types.push(response.headers.get('content-type'));
          return response;
        },
      }),
    );
    await client.callTool({ name: 'create_entities', arguments: { entities: [entity('Ada')] } });
    await client.listTools();
    await client.readResource({ uri: 'memory://knowledge-graph' });
    await client.close();
    expect(types.length).toBeGreaterThanOrEqual(3);
    expect(new Set(types)).toEqual(new Set(['application/json']));
  });
});

test('trust 11: only what is streamed is an event stream', async () => {
  const response = await fetch(`${server.url}/mcp`, listenRequest(['memory://knowledge-graph'], {}));
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const heard = hear(response);
  await server.close();
  await expect.poll(() => heard.ended).toBe(true);
});

describe('trust 37: parameters that are malformed are the mistake of who sent them', () => {
  test.each([
    ['initialize', undefined],
    ['initialize', {}],
    ['initialize', { protocolVersion: 7, capabilities: {}, clientInfo: { name: 'test', version: '0' } }],
    ['initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: 'me' }],
    ['resources/read', {}],
    ['prompts/get', { name: 7 }],
    ['tools/call', { arguments: {} }],
    ['tools/list', { cursor: 7 }],
  ])('%s %o', async (method, params) => {
    const response = await post(JSON.stringify({ jsonrpc: '2.0', id: 5, method, params }));
    expect(await response.json()).toMatchObject({ id: 5, error: { code: -32_602 } });
  });

  test('and over stdio too', async () => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const session = serveStdio({ store: scratch.store, stdin, stdout, report: () => {} });
    stdin.end('{"jsonrpc":"2.0","id":5,"method":"initialize","params":{}}\n');
    await session;
    expect(JSON.parse(String(stdout.read()))).toMatchObject({ id: 5, error: { code: -32_602 } });
  });
});

describe.each(eras)('a client of the $era protocol', (era) => {
  test('gets a result of any length whole', async () => {
    const client = clientOf(era);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
    // Longer than a chunk of the response, with characters of two, three and four bytes.
    const entities = Array.from({ length: 400 }, (_, index) => ({
      ...entity(`node ${index}`),
      observations: [`${index} ü € 😀 "quoted" \\ \n`.repeat(30)],
    }));
    try {
      await client.callTool({ name: 'create_entities', arguments: { entities } });
      const { content, structuredContent } = await client.callTool({ name: 'read_graph', arguments: {} });
      expect(structuredContent).toEqual({ entities, relations: [] });
      const [text] = content as { text: string }[];
      expect(text?.text.length).toBeGreaterThan(300_000);
      expect(JSON.parse(text?.text ?? '')).toEqual({ entities, relations: [] });
    } finally {
      await client.close();
    }
    expect(reported).toEqual([]);
  });
});

test('a batch of long results is answered whole, each with its id', async () => {
  const entities = Array.from({ length: 300 }, (_, index) => ({
    ...entity(`node ${index}`),
    observations: ['x'.repeat(500)],
  }));
  await post(callBody('create_entities', { entities }));
  const calls = [7, 8].map((id) => message('tools/call', { name: 'read_graph', arguments: {} }, id));
  const response = await post(JSON.stringify(calls));
  const answers = (await response.json()) as { id: number; result: { structuredContent: unknown } }[];
  expect(answers.map(({ id }) => id)).toEqual([7, 8]);
  for (const { result } of answers) expect(result.structuredContent).toEqual({ entities, relations: [] });
});

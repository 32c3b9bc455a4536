import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import type { ServerLimits } from '../../src/server/http/limits/server-limits.js';
import type { Logger } from '../../src/server/logger.js';
import { entity, MemoryTools } from '../helpers/memory-tools.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, hear, listenRequest, rpcHeaders, withClient } from './helpers.js';

let scratch: Scratch;
let server: HttpServer;
let sockets: Socket[];
let logged: Record<string, unknown>[];
/** Lets the writes go on that wait for this one. */
let release: () => void;

beforeEach(async () => {
  scratch = await scratchStore(sqlite);
  [sockets, logged, release] = [[], [], () => {}];
});
afterEach(async () => {
  release();
  for (const socket of sockets) socket.destroy();
  await server.close();
  await scratch.dispose();
});

async function serve(limits: Partial<ServerLimits>): Promise<void> {
  const note = (fields: object, message: string) => logged.push({ ...fields, message });
  const log = { error: note, warn: note, info: note, debug: note } as unknown as Logger;
  server = await startHttpServer({ store: scratch.store, port: 0, limits, log, report: () => {} });
}

/** Begins a write that ends when `release` is called; all others wait for it. */
async function holdUpWrites(): Promise<void> {
  await new Promise<void>((begun) => {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    new Graph(scratch.store, 'default').write({ actor: 'test', tool: 'test' }, () => {
      begun();
      return held;
    });
  });
}

function post(
  body: string,
  { path = '/mcp', ...init }: RequestInit & { path?: string } = {},
): Promise<Response> {
  return fetch(server.url + path, { method: 'POST', headers: rpcHeaders, body, ...init });
}

const read = callBody('open_nodes', { names: ['Ada'] });
const write = callBody('create_entities', { entities: [entity('Ada')] });
const batch = (count: number, name: string, args: unknown = {}) =>
  JSON.stringify(
    Array.from({ length: count }, (_, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } },
    })),
  );

const until = (met: () => unknown) => vi.waitFor(met, { timeout: 60_000 });
const refused = () => until(async () => expect((await post(read)).status).toBe(429));
/** Until so many writes wait for the one that holds them up: what comes later finds no room. */
const waiting = (writes = 1) => until(() => expect(scratch.store.waitingWrites).toBe(writes));
const served = () => until(async () => expect((await post(read)).status).toBe(200));

describe('trust 12: a call counts until it has ended', () => {
  beforeEach(async () => {
    await serve({ concurrency: 1 });
    await holdUpWrites();
  });

  test('of the 2025 protocol', async () => {
    const answer = post(write);
    await waiting();
    await refused();
    release();
    expect((await answer).status).toBe(200);
    await served();
  });

  test('of the 2026 protocol', async () => {
    await withClient(`${server.url}/mcp`, async (client) => {
      const answer = client.callTool({ name: 'create_entities', arguments: { entities: [entity('Ada')] } });
      await waiting();
      await refused();
      release();
      expect((await answer).isError).toBeUndefined();
    });
    await served();
  });

  test('of plain HTTP', async () => {
    const lines = '{"type":"Note","data":{"name":"one"}}';
    const answer = fetch(`${server.url}/graphs/default/ingest`, { method: 'POST', body: lines });
    await waiting();
    await refused();
    release();
    expect((await answer).status).toBe(200);
    await served();
  });

  test('of SSE, although its message was taken at once', async () => {
    const headers = { ...rpcHeaders, 'X-Memory-Workspace': 'default' };
    const stream = await fetch(`${server.url}/sse`, { headers });
    const heard = hear(stream);
    await until(() => expect(heard.text).toContain('sessionId='));
    const path = /data: (\S+)/.exec(heard.text)?.[1] ?? '';
    const begin = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '0' },
    };
    await post(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: begin }), {
      path,
      headers,
    });
    await until(() => expect(heard.text).toContain('"id":0'));
    const entities = [{ name: 'Ada', entity_type: 'person' }];
    const taken = await post(callBody('create_entities', { entities }), { path, headers });
    expect(taken.status).toBe(202);
    await waiting();
    await refused();
    release();
    await served();
    expect(heard.text).toContain('"id":1');
  });

  test('whose client hung up', async () => {
    const hangingUp = new AbortController();
    const answer = post(write, { signal: hangingUp.signal });
    await waiting();
    await refused();
    hangingUp.abort();
    await expect(answer).rejects.toThrow();
    for (let i = 0; i < 20; i += 1) expect((await post(read)).status).toBe(429);
    release();
    await served();
  });
});

const requests = (path: string) =>
  logged.filter((line) => line['message'] === 'request' && line['path'] === path);

describe('trust 12: what is logged and counted of a request', () => {
  const counted = async () =>
    /^trellis_http_requests_total\{status="200"\} (\d+)/m.exec(
      await (await fetch(`${server.url}/metrics`)).text(),
    )?.[1];

  test('comes when its answer is sent', async () => {
    await serve({});
    await holdUpWrites();
    const answer = post(write);
    await waiting();
    expect(requests('/mcp')).toEqual([]);
    release();
    await (await answer).text();
    await until(() => expect(requests('/mcp')).toHaveLength(1));
  });

  test('comes when its stream ends', async () => {
    await serve({});
    const leaving = new AbortController();
    const listening = listenRequest(['memory://knowledge-graph'], {});
    const stream = await fetch(`${server.url}/mcp`, { ...listening, signal: leaving.signal });
    expect(stream.status).toBe(200);
    expect(requests('/mcp')).toEqual([]);
    expect(await counted()).toBeUndefined();
    leaving.abort();
    await until(() => expect(requests('/mcp')).toHaveLength(1));
    expect(Number(await counted())).toBeGreaterThanOrEqual(1);
  });
});

describe('trust 33: answers that nobody reads', () => {
  /** An answer of some 8 MB, more than the buffers of a connection take. */
  const big = callBody('open_nodes', { names: ['big'] });

  beforeEach(async () => {
    await serve({ unsentBytes: 20_000_000, unsentBytesTotal: 1_000_000_000, sendMs: 60_000 });
    const made = await post(
      callBody('create_entities', { entities: [entity('big', ['x'.repeat(4_000_000)])] }),
    );
    await made.text();
  });

  /** Asks on one connection, maybe several times, and reads nothing. */
  function askWithoutReading(body: string, times = 1): Socket {
    const { hostname, port } = new URL(server.url);
    const head = [
      ...['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', 'X-Request-Id: unread'],
      `Content-Length: ${body.length}`,
    ];
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`.repeat(times)),
    );
    socket.on('error', () => {});
    sockets.push(socket);
    return socket;
  }

  const answered = () =>
    logged.filter(({ message, request }) => message === 'request' && request === 'unread').length;

  test('count as requests', async () => {
    await server.close();
    await serve({ concurrency: 1 });
    const socket = askWithoutReading(big);
    await until(() => expect(logged).toContainEqual(expect.objectContaining({ tool: 'open_nodes' })));
    await refused();
    socket.resume();
    await served();
  });

  test('have a bound for each actor, beyond which nothing is done', async () => {
    const socket = askWithoutReading(big, 2);
    await until(async () => {
      const answer = await post(read);
      expect(answer.status).toBe(429);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(await answer.text()).toMatch(
        /\d+ bytes of responses to you are unread; the limit is 20000000.*Nothing was done/,
      );
    });
    socket.destroy();
    await served();
  });

  test('that were made at the same time are refused beyond that bound, and say that the call was made', async () => {
    await holdUpWrites();
    const names = ['one', 'two', 'three'];
    const asking = names.map((name) =>
      askWithoutReading(callBody('create_entities', { entities: [entity(name, ['x'.repeat(4_000_000)])] })),
    );
    await waiting(3);
    release();
    await until(() => expect(logged.filter(({ tool }) => tool === 'create_entities')).toHaveLength(4));
    // Responses are printed in slices, after their calls were logged; reading one earlier would make room.
    await until(() => expect(logged).toContainEqual(expect.objectContaining({ status: 503 })));
    const heard = await Promise.all(asking.map((socket) => headOf(socket)));
    expect(heard.map((text) => text.slice(9, 12)).sort()).toEqual(['200', '200', '503']);
    const refusal = heard.find((text) => text.startsWith('HTTP/1.1 503')) ?? '';
    expect(refusal).toMatch(/The request was executed, but its response of \d+ bytes cannot be sent/);
    for (const socket of asking) socket.destroy();
    await served();
    for (const name of names)
      expect((await new MemoryTools(scratch.store).open(name)).entities).toHaveLength(1);
  });

  /** The beginning of what a connection has to say. */
  function headOf(socket: Socket): Promise<string> {
    return new Promise((resolve) => {
      let heard = '';
      socket.setEncoding('latin1').on('data', (text: string) => {
        heard += text;
        if (/\r\n\r\n.{100}/.test(heard)) resolve(heard);
      });
    });
  }

  test('are broken off, and their bytes let go', async () => {
    await server.close();
    await serve({ unsentBytes: 1_000_000_000, sendMs: 200 });
    const socket = askWithoutReading(big, 5);
    await until(() => expect(answered()).toBe(5));
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/^trellis_unsent_bytes 0$/m);
    let heard = 0;
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (chunk) => {
      heard += chunk.length;
    });
    await ended;
    expect(heard).toBeLessThan(5 * 8_000_000);
  });

  test('that are read slowly arrive whole', async () => {
    const answer = await post(big);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text.length).toBe(Number(answer.headers.get('content-length')));
    expect(JSON.parse(text).result.structuredContent.entities[0].observations[0]).toHaveLength(4_000_000);
  });
});

describe('trust 37: a batch', () => {
  test('counts as its calls, in those that run at a time', async () => {
    await serve({ concurrency: 3 });
    const tooLarge = await post(batch(4, 'read_graph'));
    expect(tooLarge.status).toBe(413);
    expect(await tooLarge.text()).toContain('The batch has 4 calls, and at most 3 may run at a time.');
    await holdUpWrites();
    const answer = post(batch(3, 'create_entities', { entities: [entity('Ada')] }));
    await waiting(3);
    await refused();
    release();
    expect(await (await answer).json()).toHaveLength(3);
    await served();
  });

  test('counts as its calls, in those of a minute', async () => {
    await serve({ requestsPerMinute: 16 });
    expect((await post(batch(3, 'read_graph'))).status).toBe(200);
    expect((await post(read)).status).toBe(200);
    expect((await post(read)).status).toBe(429);
  });

  test.each([
    [
      'two requests with the same id',
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    ],
    ['nothing', '[]'],
  ])('of %s is refused', async (_, body) => {
    await serve({});
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32_600 } });
  });
});

describe('trust 37: requests that trickle in', () => {
  /** The head of a request, and one byte of its body. */
  function trickle(): Promise<Socket> {
    const { hostname, port } = new URL(server.url);
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
          () => resolve(socket),
        );
      });
      socket.on('error', () => {}).resume();
      sockets.push(socket);
    });
  }

  test('keep nobody from being served, and cost nothing of the rate', async () => {
    await serve({ concurrency: 1, requestsPerMinute: 40 });
    const slow: Socket[] = [];
    for (let i = 0; i < 30; i += 1) slow.push(await trickle());
    // Four may be arriving at a time; the others were cut.
    await until(() => expect(slow.filter(({ closed }) => !closed)).toHaveLength(4));
    for (let i = 0; i < 10; i += 1) {
      const answer = await post(write);
      expect(answer.status).toBe(200);
      await answer.text();
      // What has been sent is counted until the server knows it.
      if (i < 9)
        await until(() =>
          expect(logged.filter(({ message }) => message === 'request').length).toBeGreaterThanOrEqual(
            26 + i + 1,
          ),
        );
    }
    await refused();
  });
});

import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import type { ServerLimits } from '../../src/server/http/limits/server-limits.js';
import type { Logger } from '../../src/server/logger.js';
import { entity } from '../helpers/memory-tools.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, rpcHeaders, withClient } from './helpers.js';

let scratch: Scratch;
let server: HttpServer | undefined;

beforeEach(async () => {
  scratch = await scratchStore(sqlite);
});
afterEach(async () => {
  await server?.close();
  await scratch.dispose();
});

async function serve(limits: Partial<ServerLimits> = {}, log?: Logger): Promise<string> {
  server = await startHttpServer({ store: scratch.store, port: 0, limits, log, report: () => {} });
  return server.url;
}

/** However busy the machine is. */
const until = (met: () => unknown) => vi.waitFor(met, { timeout: 60_000 });

function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/mcp`, { method: 'POST', headers: { ...rpcHeaders, ...headers }, body });
}

test('too many requests a minute are put off, with when to come back and the bound', async () => {
  const url = await serve({ requestsPerMinute: 12 });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await post(url, callBody('read_graph'))).status);
  expect(statuses).toEqual([200, 200, 200]);
  const refused = await post(url, callBody('read_graph'));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.text()).toContain('12 requests a minute');
});

test('liveness is never put off', async () => {
  const url = await serve({ requestsPerMinute: 1 });
  for (let i = 0; i < 5; i++) expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

describe('an export', () => {
  // What begins with _ is indexed nowhere, so that much of it is soon there.
  const lines = (count: number) =>
    Array.from(
      { length: count },
      (_, i) => `{"type":"Note","data":{"name":"n${i}","_text":"${'x'.repeat(16_000)}"}}`,
    );
  const ingest = (url: string, count: number) =>
    fetch(`${url}/graphs/default/ingest`, { method: 'POST', body: lines(count).join('\n') });
  const calls = async (url: string) =>
    (await (await fetch(`${url}/metrics`)).text())
      .split('\n')
      .filter((line) => line.startsWith('trellis_tool_calls_total') && line.includes('export'));

  test('counts as a request until all of it is sent, or nobody wants the rest', async () => {
    const url = await serve({ concurrency: 2 });
    expect((await ingest(url, 1_500)).status).toBe(200);
    const leaving = new AbortController();
    const unread = [
      await fetch(`${url}/graphs/default/export`, { signal: leaving.signal }),
      await fetch(`${url}/graphs/default/export`, { signal: leaving.signal }),
    ];
    expect(unread.map(({ status }) => status)).toEqual([200, 200]);
    expect((await post(url, callBody('read_graph'))).status).toBe(429);
    leaving.abort();
    await until(async () =>
      expect((await post(url, callBody('open_nodes', { names: [] }))).status).toBe(200),
    );
    await until(async () =>
      expect(await calls(url)).toEqual([
        'trellis_tool_calls_total{surface="graph",tool="export",outcome="CANCELLED"} 2',
      ]),
    );
  });

  test('is counted and logged like a call of a tool', async () => {
    const url = await serve();
    await ingest(url, 2);
    expect(await (await fetch(`${url}/graphs/default/export`)).text()).toContain('"n1"');
    await fetch(`${url}/graphs/default/export?snapshot=nope`);
    expect(await calls(url)).toEqual([
      'trellis_tool_calls_total{surface="graph",tool="export",outcome="ok"} 1',
      'trellis_tool_calls_total{surface="graph",tool="export",outcome="COMMIT_NOT_FOUND"} 1',
    ]);
  });

  test('that cannot be read to its end breaks off, so that nobody takes it for whole, and is reported', async () => {
    const reported: unknown[] = [];
    server = await startHttpServer({
      store: scratch.store,
      port: 0,
      report: (error) => reported.push(error),
    });
    const { url } = server;
    await ingest(url, 2_500);
    const response = await fetch(`${url}/graphs/default/export`);
    await fetch(`${url}/graphs/default?confirm=default`, { method: 'DELETE' });
    await expect(response.text()).rejects.toThrow();
    expect(reported).toMatchObject([{ code: 'GRAPH_NOT_FOUND' }]);
  });
});

test('a request that is nested too deep is refused, naming the bound', async () => {
  const url = await serve({ depth: 10 });
  const response = await post(url, `${'['.repeat(11)}${']'.repeat(11)}`);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('10 levels');
  const brackets = { entities: [entity('[[[[[[[[[[[[{{{{{{{{ "\\"')] };
  expect((await post(url, callBody('create_entities', brackets))).status).toBe(200);
});

test('a request that arrives a byte at a time is cut off', async () => {
  const url = await serve({ arrivalMs: 300 });
  const { hostname, port } = new URL(url);
  const cut = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      );
    });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.once('close', () => resolve(text));
    socket.once('error', reject);
  });
  expect(cut).toMatch(/^HTTP\/1\.1 4(08|00)/);
});

test('answers carry headers that keep browsers from guessing, framing and keeping them', async () => {
  const { headers } = await fetch(`${await serve()}/healthz`);
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  });
});

describe('what operators see', () => {
  test('metrics: calls, how long they took, denials, commits', async () => {
    const url = await serve();
    await withClient(`${url}/mcp`, async (client) => {
      await client.callTool({ name: 'create_entities', arguments: { entities: [entity('Ada')] } });
      await client.callTool({ name: 'no_such_tool', arguments: {} }).catch(() => {});
      await client.callTool({ name: 'open_nodes', arguments: { names: 7 } });
    });
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain(
      'trellis_tool_calls_total{surface="memory",tool="create_entities",outcome="ok"} 1',
    );
    expect(text).toContain(
      'trellis_tool_calls_total{surface="memory",tool="unknown",outcome="UNKNOWN_TOOL"} 1',
    );
    expect(text).toContain('outcome="INVALID_ARGUMENT"} 1');
    expect(text).toContain('trellis_tool_call_seconds_count{surface="memory",tool="create_entities"} 1');
    expect(text).toContain('trellis_denials_total{reason="tool"} 1');
    expect(text).toContain('trellis_commits_total{graph="default"} 1');
    expect(text).toContain('trellis_write_queue_depth 0');
    expect(text).not.toContain('no_such_tool');
  });

  test('metrics: what the gate turned away, by actor, label and reason', async () => {
    const url = await serve();
    await withClient(`${url}/graphs/default/gate/mcp`, (client) =>
      client.callTool({ name: 'write_node', arguments: { label: 'Nothing' } }),
    );
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toMatch(
      /trellis_gate_rejections_total\{graph="default",actor="[^"]+",label="other",reason="INVALID_ARGUMENT"\} 1/,
    );
  });

  test('an id of a request that could forge a line of the log is not taken over', async () => {
    const url = await serve({});
    const idFor = async (headers: Record<string, string>) =>
      (await fetch(`${url}/healthz`, { headers })).headers.get('x-request-id');
    expect(await idFor({ 'X-Request-Id': 'a.b:c_d-7' })).toBe('a.b:c_d-7');
    for (const given of ['a b', 'a"b', '{}', 'x'.repeat(129)])
      expect(await idFor({ 'X-Request-Id': given })).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(await idFor({})).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test('log lines say who called what, where and for how long, and no content', async () => {
    const lines: { fields: object; message: string }[] = [];
    const note = (fields: object, message: string) => lines.push({ fields, message });
    const url = await serve({}, { error: note, warn: note, info: note, debug: note } as unknown as Logger);
    const response = await post(
      url,
      callBody('create_entities', { entities: [entity('Ada', ['a secret'])] }),
      {
        'X-Request-Id': 'req-7',
        Authorization: 'Bearer very-secret',
      },
    );
    expect(response.headers.get('x-request-id')).toBe('req-7');
    // An answer may begin before the call has ended.
    await response.text();
    expect(lines.find(({ message }) => message === 'call')?.fields).toMatchObject({
      request: 'req-7',
      surface: 'memory',
      graph: 'default',
      tool: 'create_entities',
      actor: expect.any(String),
      milliseconds: expect.any(Number),
    });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});

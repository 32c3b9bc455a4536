import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { limits } from '../../src/model/limits.js';
import type { HttpOptions } from '../../src/server/http/http-options.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, listenRequest, withClient } from './helpers.js';

let folder: string;
let scratch: Scratch;
let server: HttpServer | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
  scratch = await scratchStore(sqlite);
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await scratch.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function serve(options: Partial<HttpOptions> = {}): Promise<HttpServer> {
  server = await startHttpServer({ store: scratch.store, port: 0, report: () => {}, ...options });
  return server;
}

const token = (actor: string) => `a-token-that-is-long-enough-for-${actor}`;

/** A server on which ann and bob may read and write. */
async function serveWithTokens(options: Partial<HttpOptions> = {}): Promise<HttpServer> {
  const [tokens, policy] = [join(folder, 'tokens.json'), join(folder, 'policy.yaml')];
  await writeFile(tokens, JSON.stringify({ ann: token('ann'), bob: token('bob') }), { mode: 0o600 });
  await writeFile(
    policy,
    'version: 1\nrules: [{ id: all, allow: { actors: any, actions: [read, change] } }]\n',
  );
  const files = { tokens: { file: tokens }, policy: { server: { file: policy } } };
  return serve({ ...options, access: await openAccessControl(files, { warn: () => {} }) });
}

/** Writes bytes to the server as they are, and reads until it closes the connection or has said enough. */
function raw({ url }: HttpServer, text: string, enough = (_: string) => false): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      heard += chunk;
      if (enough(heard)) socket.destroy();
    });
    socket.once('close', () => resolve(heard));
    // Whoever is refused may find the connection reset while still writing.
    socket.once('error', (error) => (heard === '' ? reject(error) : resolve(heard)));
  });
}

function request(path: string, headers: readonly string[], body = callBody('read_graph')): string {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const statuses = (text: string) => [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => status);
const close = 'Connection: close';

describe('headers that come twice', () => {
  test('two tokens are refused, even if one or both are good', async () => {
    const at = await serveWithTokens();
    const both = [`Authorization: Bearer ${token('ann')}`, `Authorization: Bearer ${token('bob')}`];
    for (const headers of [both, [...both].reverse(), [both[0] ?? '', both[0] ?? '']]) {
      const answer = await raw(at, request('/mcp', ['Host: localhost', close, ...headers]));
      expect(statuses(answer)).toEqual(['401']);
    }
    const one = await raw(at, request('/mcp', ['Host: localhost', close, both[0] ?? '']));
    expect(statuses(one)).toEqual(['200']);
  });

  test('a second Host cannot hide behind a good one', async () => {
    const at = await serve();
    for (const hosts of [
      ['Host: localhost', 'Host: evil.example'],
      ['Host: evil.example', 'Host: localhost'],
    ]) {
      const [status = ''] = statuses(await raw(at, request('/mcp', [close, ...hosts])));
      expect(['400', '403']).toContain(status);
    }
  });

  test('a second length is refused: two programs might disagree about where the request ends', async () => {
    const answer = await raw(await serve(), request('/mcp', ['Host: localhost', close, 'Content-Length: 3']));
    expect(statuses(answer)).toEqual(['400']);
  });
});

test('a length and chunks at once are refused', async () => {
  const headers = ['Host: localhost', close, 'Transfer-Encoding: chunked'];
  expect(statuses(await raw(await serve(), request('/mcp', headers)))).toEqual(['400']);
});

test('headers beyond 16 KiB are refused, and the server goes on', async () => {
  const at = await serve();
  const answer = await raw(at, request('/mcp', ['Host: localhost', `X-Long: ${'x'.repeat(20_000)}`]));
  expect(statuses(answer)).toEqual(['431']);
  expect((await fetch(`${at.url}/healthz`)).status).toBe(200);
});

describe('what stands behind a body that is too long', () => {
  const hidden = request('/mcp', ['Host: localhost', close], callBody('create_entities', { entities: [] }));

  test('is not taken for a request', async () => {
    const body = `${'x'.repeat(limits.requestBytes + 1)}`;
    const answer = await raw(await serve(), request('/mcp', ['Host: localhost'], body) + hidden);
    expect(statuses(answer)[0]).toBe('413');
    // Whether the connection is cut or the rest read: the body was never parsed as a request.
    expect(statuses(answer).length).toBeLessThanOrEqual(2);
  });

  test('is not taken for a request while the body is still to come', async () => {
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${limits.requestBytes + 1}\r\n\r\n`;
    const answer = await raw(await serve({ limits: { arrivalMs: 1_500 } }), head + hidden);
    expect(statuses(answer)).not.toContain('200');
  });
});

test('X-Forwarded headers change neither the host that counts nor the address that is told', async () => {
  const at = await serveWithTokens();
  const forwarded = [
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: https',
    'X-Forwarded-For: 10.0.0.1',
    'Forwarded: host=evil.example',
  ];
  const answer = await raw(at, request('/mcp', ['Host: localhost', close, ...forwarded]));
  expect(statuses(answer)).toEqual(['401']);
  expect(answer).not.toContain('evil.example');
  const refused = await raw(
    at,
    request('/mcp', ['Host: evil.example', close, 'X-Forwarded-Host: localhost']),
  );
  expect(statuses(refused)).toEqual(['403']);
});

describe('streams', () => {
  const open = ({ url }: HttpServer, actor: string, controller: AbortController) =>
    fetch(`${url}/sse`, {
      headers: { 'X-Memory-Workspace': 'default', Authorization: `Bearer ${token(actor)}` },
      signal: controller.signal,
    });

  test('of everybody are bounded, and one that ends makes room', async () => {
    const at = await serveWithTokens({ limits: { streams: 1 } });
    const [first, second] = [new AbortController(), new AbortController()];
    expect((await open(at, 'ann', first)).status).toBe(200);
    const refused = await open(at, 'bob', second);
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('1 are already open');
    first.abort();
    await expect.poll(async () => (await open(at, 'bob', second)).status).toBe(200);
    second.abort();
  });

  test('of one actor are bounded, and leave room for others', async () => {
    const at = await serveWithTokens({ limits: { concurrency: 2 } });
    const controller = new AbortController();
    for (let i = 0; i < 2; i++) expect((await open(at, 'ann', controller)).status).toBe(200);
    const refused = await open(at, 'ann', controller);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.text()).toContain('at most 2 for each actor');
    expect((await open(at, 'bob', controller)).status).toBe(200);
    controller.abort();
  });

  test('of every kind count together', async () => {
    const at = await serveWithTokens({ limits: { concurrency: 2 } });
    const controller = new AbortController();
    const ann = { Authorization: `Bearer ${token('ann')}` };
    const feed = () =>
      fetch(`${at.url}/graphs/default/changes`, {
        headers: { ...ann, Accept: 'text/event-stream' },
        signal: controller.signal,
      });
    const listen = () =>
      fetch(`${at.url}/graphs/default/memory/mcp`, {
        ...listenRequest(['memory://knowledge-graph'], ann),
        signal: controller.signal,
      });
    expect((await feed()).status).toBe(200);
    expect((await listen()).status).toBe(200);
    for (const another of [feed, listen, () => open(at, 'ann', controller)]) {
      const refused = await another();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      expect(await refused.text()).toContain('at most 2 for each actor');
    }
    expect((await open(at, 'bob', controller)).status).toBe(200);
    controller.abort();
  });

  test('that listen for changes are bounded too', async () => {
    const at = await serve({ limits: { streams: 1 } });
    await withClient(`${at.url}/mcp`, async (client) => {
      const listening = await client.listen({ resourceSubscriptions: ['memory://knowledge-graph'] });
      await withClient(`${at.url}/mcp`, (other) =>
        expect(other.listen({ resourceSubscriptions: ['memory://knowledge-graph'] })).rejects.toThrow(
          /limit/i,
        ),
      );
      await listening.close();
    });
  });
});

describe('trust 36: the address in OAuth metadata', () => {
  const publicUrl = 'https://memory.example.com';
  const wellKnown = '/.well-known/oauth-protected-resource';
  const get = (path: string, ...headers: string[]) =>
    `${[`GET ${path} HTTP/1.1`, ...headers, close].join('\r\n')}\r\n\r\n`;

  test.each([
    '//evil.example/mcp',
    `${wellKnown}//evil.example/mcp`,
    '/%2e%2e//evil.example',
    '/graphs/%2e%2e/mcp',
  ])('%s is refused before it is routed', async (path) => {
    const at = await serveWithTokens({ publicUrl });
    const heard = await raw(at, get(path, 'Host: localhost'));
    expect(statuses(heard)).toEqual(['400']);
    expect(heard).toContain('The path of the request is invalid');
    expect(heard).not.toMatch(/www-authenticate|evil/i);
  });

  test.each(['%5C..%5C..%5Cother', '%5Cevil.example', '%09', '%0A..'])(
    'keeps %s of a path as it was sent, so that it stays one segment',
    async (segment) => {
      const at = await serveWithTokens({ publicUrl: `${publicUrl}/trellis` });
      const refused = await raw(at, get(`/graphs/${segment}/mcp`, 'Host: localhost'));
      expect(refused).toContain(`resource_metadata="${publicUrl}${wellKnown}/trellis/graphs/${segment}/mcp"`);
      const described = await raw(at, get(`${wellKnown}/graphs/${segment}/mcp`, 'Host: localhost'));
      expect(described).toContain(`"resource":"${publicUrl}/trellis/graphs/${segment}/mcp"`);
    },
  );

  test('is that of public_url, whatever a request calls the server', async () => {
    const at = await serveWithTokens({
      publicUrl,
      allowed: { hosts: ['other.example', 'memory.example.com'], origins: [] },
    });
    for (const host of ['localhost', 'other.example', 'memory.example.com']) {
      const refused = await raw(at, get('/metrics', `Host: ${host}`));
      expect(refused).toContain(`resource_metadata="${publicUrl}${wellKnown}/metrics"`);
      const described = await raw(at, get(`${wellKnown}/graphs/a/mcp`, `Host: ${host}`));
      expect(described).toContain(`"resource":"${publicUrl}/graphs/a/mcp"`);
    }
    const absolute = await raw(at, get(`http://other.example${wellKnown}`, 'Host: localhost'));
    expect(statuses(absolute)).toEqual(['400']);
  });

  test('is where the server listens if there is no public_url, and not the Host of a request', async () => {
    const at = await serveWithTokens({ allowed: { hosts: ['other.example'], origins: [] } });
    const refused = await raw(at, get('/metrics', 'Host: other.example'));
    expect(refused).toContain(`resource_metadata="${at.url}${wellKnown}/metrics"`);
  });

  test('is left out if the server listens everywhere and there is no public_url', async () => {
    const at = await serveWithTokens({ host: '0.0.0.0' });
    const refused = await raw(at, get('/metrics', 'Host: localhost'));
    expect(statuses(refused)).toEqual(['401']);
    expect(refused).toMatch(/^www-authenticate: Bearer\r$/im);
    const described = await raw(at, get(wellKnown, 'Host: localhost'));
    expect(statuses(described)).toEqual(['404']);
    expect(described).toContain('server.public_url');
  });
});

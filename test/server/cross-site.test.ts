import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';

// A server without tokens answers whoever can reach it, and every page in a browser of this machine can.
describe('a page of another site, on a server without tokens', () => {
  let scratch: Scratch;
  let server: HttpServer;

  beforeAll(async () => {
    scratch = await scratchStore(sqlite);
    server = await startHttpServer({ store: scratch.store, port: 0 });
  });
  afterAll(async () => {
    await server.close();
    await scratch.dispose();
  });

  /** By hand, since `fetch` sets these headers itself. */
  const send = (method: string, path: string, headers: Record<string, string>, body = '') =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${server.url}${path}`, { method, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject).end(body);
    });
  const post = (path: string, headers: Record<string, string>, body: string) =>
    send('POST', path, headers, body);
  const edit = JSON.stringify({ operations: [{ op: 'add_node', name: 'Evil', type: 'thing' }] });
  const nodes = () =>
    scratch.store.read({ graph: 'default' }, async (reader) => (await reader.nodes()).length);

  // What browsers send with <form method="post" enctype="text/plain">, which asks for no preflight.
  const form = { 'Content-Type': 'text/plain', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  const crossSite = { ...form, 'Sec-Fetch-Site': 'cross-site' };

  test.each([
    ['of its own name', { ...crossSite, Origin: 'https://evil.example' }],
    ['that hides its name', { ...crossSite, Origin: 'null' }],
    ['in a browser that does not send Origin', crossSite],
    ['on a name that begins like this machine', { ...form, Origin: 'http://localhost.evil.example' }],
    ['that sends JSON as text', { ...crossSite, Origin: 'https://evil.example', Accept: 'application/json' }],
  ])('cannot write with a form: %s', async (_, headers) => {
    for (const path of ['/graphs/default/edit', '/graphs/default/undo', '/graphs', '/graphs/default/mcp'])
      expect(await post(path, headers, edit), path).toBe(403);
    expect(await nodes()).toBe(0);
  });

  test('a page of this server, and a program, can', async () => {
    const own = { 'Content-Type': 'application/json', Origin: server.url, 'Sec-Fetch-Site': 'same-origin' };
    expect(await post('/graphs/default/edit', own, edit)).toBe(200);
    const undo = JSON.stringify({ last: true });
    expect(await post('/graphs/default/undo', { 'Content-Type': 'application/json' }, undo)).toBe(200);
    expect(await nodes()).toBe(0);
  });

  test.each([
    ['a link opens the page', 200, 'navigate'],
    ['a picture or a script, whose answer it can only time, is refused', 403, 'no-cors'],
  ])('when another site reads: %s', async (_, status, mode) => {
    for (const path of ['/', '/graphs/default/stats', '/graphs/default/search?q=secret']) {
      const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': mode };
      expect(await send('GET', path, headers), path).toBe(status);
    }
  });
});

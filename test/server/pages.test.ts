import { rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { type Scratch, scratchFolder, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, rpcHeaders } from './helpers.js';

const token = 'a-token-that-is-long-enough-for-ann';
const page = 'https://app.example.com';

let folder: string;
let scratch: Scratch;
let server: HttpServer;

beforeEach(async () => {
  folder = await scratchFolder();
  scratch = await scratchStore(sqlite);
  await writeFile(join(folder, 't.json'), JSON.stringify({ ann: token }), { mode: 0o600 });
  await writeFile(
    join(folder, 'p.yaml'),
    'version: 1\nrules: [{ id: all, allow: { actors: any, actions: [read, change] } }]\n',
  );
  const access = await openAccessControl(
    { tokens: { file: join(folder, 't.json') }, policy: { server: { file: join(folder, 'p.yaml') } } },
    { warn: () => {} },
  );
  const allowed = { hosts: [], origins: [page] };
  server = await startHttpServer({ store: scratch.store, port: 0, report: () => {}, access, allowed });
});
afterEach(async () => {
  await server.close();
  await scratch.dispose();
  await rm(folder, { recursive: true });
});

/** `fetch` sets Origin itself, so this goes by hand; of a stream, only the beginning is read. */
function send(method: string, path: string, headers: Record<string, string>, body = '') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const outgoing = request(`${server.url}${path}`, { method, headers }, (response) => {
        const { statusCode: status = 0, headers: given } = response;
        response.setEncoding('utf8').once('data', (text: string) => {
          resolve({ status, headers: given, body: text });
          response.destroy();
        });
        response.once('end', () => resolve({ status, headers: given, body: '' }));
      });
      outgoing.once('error', reject).end(body);
    },
  );
}

const authorized = { ...rpcHeaders, Authorization: `Bearer ${token}` };

test.each([page, 'http://localhost:3000'])(
  'a browser may ask without a token what a page of %s may send',
  async (origin) => {
    const asked = {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type,mcp-protocol-version,mcp-method,mcp-name',
    };
    const answer = await send('OPTIONS', '/graphs/default/mcp', asked);
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
    const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining(asked['Access-Control-Request-Headers'].split(',')));
    expect(answer.headers['access-control-allow-methods']).toContain('POST');
  },
);

test('such a page may read answers, refusals and streams', async () => {
  const headers = { ...authorized, Origin: page };
  for (const [method, path, extra, body] of [
    ['POST', '/mcp', {}, callBody('read_graph')],
    ['GET', '/graphs/default/snapshot', {}, ''],
    ['GET', '/sse', { 'X-Memory-Workspace': 'default' }, ''],
    ['GET', '/graphs/nope/snapshot', {}, ''],
    ['GET', '/metrics', { Authorization: 'Bearer wrong' }, ''],
  ] as const) {
    const answer = await send(method, path, { ...headers, ...extra }, body);
    expect(answer.headers['access-control-allow-origin'], path).toBe(page);
    expect(answer.headers['access-control-allow-credentials'], path).toBeUndefined();
  }
});

test('other pages are refused before anything is looked at, and are told nothing of this', async () => {
  const asked = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
  const answer = await send('OPTIONS', '/mcp', asked);
  expect(answer.status).toBe(403);
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
});

test('who comes from no page is told nothing of pages', async () => {
  const answer = await send('POST', '/mcp', authorized, callBody('read_graph'));
  expect(answer.status).toBe(200);
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
});

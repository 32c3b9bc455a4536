import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Client, ClientCapabilities } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { surfaceNames } from '../../src/surfaces/surface-registry.js';
import { clientOf, type Era, eras, showsApps } from '../helpers/eras.js';
import { trellis } from '../helpers/stdio-process.js';
import { openWithGraph, type Scratch, scratchFolder, scratchStore, sqlite } from '../helpers/stores.js';
import { rpcHeaders, withClient, withSseClient } from './helpers.js';

const uri = 'ui://trellis/explorer';
const extension = 'io.modelcontextprotocol/ui';
const shown = {
  memory: ['read_graph', 'search_nodes', 'open_nodes'],
  mesh: ['read_graph', 'search_nodes', 'open_nodes'],
  workspace: ['open_nodes', 'get_neighborhood', 'search_nodes'],
  gate: [],
  graph: ['query', 'branches_merge'],
};

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

/** All that a client sees of the page. */
async function seenBy(client: Client) {
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  const page = await client.readResource({ uri }).catch(({ message }: Error) => message);
  return { capabilities: client.getServerCapabilities(), tools, resources, page };
}

function overHttp(surface: string, era: Era, capabilities?: ClientCapabilities) {
  const options = capabilities === undefined ? { era } : { era, capabilities };
  return withClient(`${server.url}/graphs/${defaultGraph}/${surface}/mcp`, seenBy, options);
}

function overSse(capabilities?: ClientCapabilities) {
  const headers = { 'X-Memory-Workspace': defaultGraph };
  return withSseClient(`${server.url}/sse`, seenBy, headers, capabilities);
}

async function overStdio(era: Era, capabilities?: ClientCapabilities) {
  const folder = await scratchFolder();
  await (await openWithGraph(join(folder, 'memory.db'))).close();
  const client = clientOf(era, capabilities);
  const args = [trellis, 'stdio', '--store', join(folder, 'memory.db')];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const seen = await seenBy(client);
  await client.close();
  return seen;
}

type Seen = Awaited<ReturnType<typeof seenBy>>;

function expectPage({ capabilities, tools, resources, page }: Seen, expected: readonly string[]): void {
  const withPage = tools.filter(({ _meta }) => _meta !== undefined);
  expect(withPage.map(({ name }) => name)).toEqual(expected);
  for (const { _meta } of withPage)
    expect(_meta).toEqual({ ui: { resourceUri: uri }, 'ui/resourceUri': uri });
  expect(capabilities?.extensions).toEqual({ [extension]: {} });
  const mimeType = 'text/html;profile=mcp-app';
  expect(resources.at(-1)).toMatchObject({ uri, mimeType, _meta: { ui: { csp: {} } } });
  expect(page).toMatchObject({
    contents: [{ uri, mimeType, text: expect.stringMatching(/^<!doctype html>/) }],
  });
}

function expectNoPage({ capabilities, tools, resources, page }: Seen): void {
  expect(tools.filter(({ _meta }) => _meta !== undefined)).toEqual([]);
  expect(capabilities).not.toHaveProperty('extensions');
  expect(resources.map((resource) => resource.uri)).not.toContain(uri);
  expect(page).toContain('unknown resource');
}

/** What both see is the same, but for the page. */
function expectSameOtherwise(seen: Seen, plain: Seen): void {
  expect(seen.tools.map(({ _meta, ...tool }) => tool)).toEqual(plain.tools);
  expect(seen.resources.slice(0, -1)).toEqual(plain.resources);
}

describe.each(eras)('in the protocol of $era', (era) => {
  test.each(Object.entries(shown).filter(([, tools]) => tools.length > 0))(
    'clients that show apps learn of the page on the %s surface',
    async (surface, tools) => {
      const seen = await overHttp(surface, era, showsApps);
      expectPage(seen, tools);
      const plain = await overHttp(surface, era);
      expectNoPage(plain);
      expectSameOtherwise(seen, plain);
    },
  );

  test('a surface without such tools has no page', async () => {
    expectNoPage(await overHttp('gate', era, showsApps));
  });

  test('the same over stdio', async () => {
    const seen = await overStdio(era, showsApps);
    expectPage(seen, shown.memory);
    const plain = await overStdio(era);
    expectNoPage(plain);
    expectSameOtherwise(seen, plain);
  });

  test.each([
    {},
    { extensions: { [extension]: {} } },
    { extensions: { [extension]: { mimeTypes: ['text/html'] } } },
    { extensions: { 'example.org/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } },
  ])('clients that declare %j learn nothing of it', async (capabilities) => {
    expectNoPage(await overHttp('memory', era, capabilities));
  });
});

test('every surface is covered here', () => {
  expect(Object.keys(shown).sort()).toEqual([...surfaceNames].sort());
});

test('the same over SSE', async () => {
  expectPage(await overSse(showsApps), shown.workspace);
  expectNoPage(await overSse());
});

test('a client of the 2025 protocol without its session id learns nothing of it', async () => {
  const post = (method: string, params: object, headers = {}) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { ...rpcHeaders, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
  const handshake = { protocolVersion: '2025-06-18', clientInfo: { name: 'test', version: '0' } };
  const opened = await post('initialize', { ...handshake, capabilities: showsApps });
  const session = opened.headers.get('mcp-session-id') ?? '';
  expect(await (await post('tools/list', {})).text()).not.toContain(uri);
  expect(await (await post('tools/list', {}, { 'Mcp-Session-Id': session })).text()).toContain(uri);
});

test('who may use none of the tools does not see the page', async () => {
  const folder = await scratchFolder();
  const token = 'a-token-that-is-long-enough-for-a-writer';
  await writeFile(join(folder, 'tokens.json'), JSON.stringify({ writer: token }), { mode: 0o600 });
  const rule = `{ id: w, allow: { actors: { actor: writer }, actions: [change], graphs: [${defaultGraph}] } }`;
  await writeFile(join(folder, 'policy.yaml'), `version: 1\nrules:\n  - ${rule}\n`);
  const access = await openAccessControl(
    {
      tokens: { file: join(folder, 'tokens.json') },
      policy: { server: { file: join(folder, 'policy.yaml') } },
    },
    { warn: () => {} },
  );
  const guarded = await startHttpServer({ store: scratch.store, port: 0, access });
  const headers = { Authorization: `Bearer ${token}` };
  const seen = await withClient(`${guarded.url}/graphs/${defaultGraph}/memory/mcp`, seenBy, {
    ...{ headers, capabilities: showsApps },
  });
  await guarded.close();
  expect(seen.tools.map(({ name }) => name)).toContain('create_entities');
  expectNoPage(seen);
});

test('the page is one document that loads nothing', async () => {
  const html = await readFile('dist/bundle/explorer-app.html', 'utf8');
  expect(html).not.toMatch(/<link|<img|<iframe|\ssrc=|@import|url\(/i);
  expect(html).not.toMatch(/\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts)\(/);
  const urls = html.match(/https?:\/\/[\w.-]+/g) ?? [];
  expect([...new Set(urls)].filter((url) => url !== 'http://www.w3.org')).toEqual([]);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html.trimEnd()).toMatch(/<\/script>\s*<\/body>\s*<\/html>$/);
});

test('the page is small: at most 150 KB compressed', async () => {
  expect(gzipSync(await readFile('dist/bundle/explorer-app.html')).length).toBeLessThanOrEqual(150_000);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccessControl } from '../../src/access/access-control.js';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { surfaceNames } from '../../src/surfaces/surface-registry.js';
import { goodClaims, Issuer, signed, signingKey } from '../access/issuer.js';
import { entity } from '../helpers/memory-tools.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';
import { surfaceOn } from '../helpers/surfaces.js';
import { callBody, rpcHeaders, toolNames, withClient, withSseClient } from './helpers.js';

const policy = `
version: 1
groups: { team: [ann] }
rules:
  - { id: team-writes-work, allow: { actors: { group: team }, actions: [read, change], graphs: [work] } }
  - { id: rob-reads-work, allow: { actors: { actor: rob }, actions: [read], graphs: [work] } }
  - { id: eve-has-another, allow: { actors: { actor: eve }, actions: [read, change], graphs: [other] } }
  - { id: admins-list, allow: { actors: { actor: boss }, actions: [graph_list] } }
`;

/** How actors prove who they are: the server must not behave differently. */
interface Proof {
  readonly access: AccessControl;
  tokenOf(actor: string): Promise<string>;
  close(): Promise<void>;
}

const kinds = [
  {
    kind: 'static tokens',
    async open(folder: string): Promise<Proof> {
      const tokens = Object.fromEntries(
        ['ann', 'rob', 'eve', 'boss', 'nobody'].map((id) => [id, tokenText(id)]),
      );
      await writeFile(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
      const access = await openAccessControl(
        {
          tokens: { file: join(folder, 'tokens.json') },
          policy: { server: { file: join(folder, 'policy.yaml') } },
        },
        { warn: () => {} },
      );
      return { access, tokenOf: async (id) => tokenText(id), close: async () => {} };
    },
  },
  {
    kind: 'OIDC',
    async open(folder: string): Promise<Proof> {
      const key = await signingKey('one');
      const issuer = await Issuer.start([key]);
      const access = await openAccessControl(
        {
          oidc: { issuer: issuer.url, audience: 'trellis' },
          policy: { server: { file: join(folder, 'policy.yaml') } },
        },
        { warn: () => {} },
      );
      return {
        access,
        tokenOf: (id) => signed(key, { ...goodClaims(issuer.url, Date.now()), sub: id, groups: [] }),
        close: () => issuer.close(),
      };
    },
  },
];

function tokenText(id: string): string {
  return `a-token-that-is-long-enough-for-${id}`;
}

describe.each(kinds)('a server that asks for $kind', ({ open }) => {
  let folder: string;
  let scratch: Scratch;
  let proof: Proof;
  let server: HttpServer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
    await writeFile(join(folder, 'policy.yaml'), policy);
    scratch = await scratchStore(sqlite);
    for (const graph of ['work', 'other']) await scratch.store.createGraph(graph);
    proof = await open(folder);
    server = await startHttpServer({
      store: scratch.store,
      port: 0,
      access: proof.access,
      root: 'server',
      report: () => {},
    });
  });
  afterEach(async () => {
    await server.close();
    await proof.close();
    await scratch.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function bearer(actor: string): Promise<Record<string, string>> {
    return { Authorization: `Bearer ${await proof.tokenOf(actor)}` };
  }

  async function ask(actor: string, path: string, body: string): Promise<{ status: number; text: string }> {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { ...rpcHeaders, ...(await bearer(actor)) },
      body,
    });
    return { status: response.status, text: await response.text() };
  }

  test.each(['/mcp', '/graphs/work/memory/mcp', '/metrics', '/sse'])(
    'without a token %s is a 401 that says where to learn more',
    async (path) => {
      const response = await fetch(server.url + path, {
        method: path === '/metrics' || path === '/sse' ? 'GET' : 'POST',
      });
      expect(response.status).toBe(401);
      const metadata = `${server.url}/.well-known/oauth-protected-resource${path}`;
      expect(response.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`);
      const described = (await (await fetch(metadata)).json()) as { resource: string };
      expect(described.resource).toBe(server.url + path);
    },
  );

  test('without a token, plain HTTP answers with its own shape of errors, and MCP with that of JSON-RPC', async () => {
    const rest = await (await fetch(`${server.url}/graphs/work/snapshot`)).json();
    expect(rest).toMatchObject({ error: { code: 'UNAUTHENTICATED', message: expect.any(String) } });
    expect(rest).not.toHaveProperty('jsonrpc');
    const mcp = await (await fetch(`${server.url}/graphs/work/memory/mcp`, { method: 'POST' })).json();
    expect(mcp).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
  });

  test('a wrong token is a 401, and so is a good one in the address', async () => {
    const wrong = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { Authorization: 'Bearer nonsense' },
    });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const token = await proof.tokenOf('ann');
    const inAddress = await fetch(`${server.url}/mcp?access_token=${token}`, {
      method: 'POST',
      headers: await bearer('ann'),
    });
    expect(inAddress.status).toBe(401);
  });

  test('liveness needs no token, metrics need any', async () => {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/metrics`, { headers: await bearer('nobody') })).status).toBe(200);
  });

  test('each actor is shown exactly what it may use', async () => {
    const shown = async (actor: string, path: string) =>
      withClient(server.url + path, toolNames, { headers: await bearer(actor) });
    expect(await shown('ann', '/graphs/work/memory/mcp')).toHaveLength(9);
    expect(await shown('rob', '/graphs/work/memory/mcp')).toEqual([
      'read_graph',
      'search_nodes',
      'open_nodes',
    ]);
    expect(await shown('boss', '/mcp')).toEqual(['health', 'graphs_list']);
    expect(await shown('rob', '/mcp')).toEqual(['health']);
    expect(await shown('nobody', '/mcp')).toEqual([]);
  });

  test('a list of graphs is for those who may list them', async () => {
    const { structuredContent } = await withClient(
      `${server.url}/mcp`,
      (client) => client.callTool({ name: 'graphs_list', arguments: {} }),
      { headers: await bearer('boss') },
    );
    expect(structuredContent).toEqual({
      graphs: ['default', 'other', 'work'].map((name) => ({ graph_id: name })),
    });
    const refused = await ask('ann', '/mcp', callBody('graphs_list'));
    expect(refused.text).toContain('unknown tool');
  });

  test('trust 27: what is denied and what is not there answer alike, byte for byte but for the name that was sent', async () => {
    const path = '/graphs/work/memory/mcp';
    const denied = await ask('rob', path, callBody('create_entities', { entities: [entity('Ada')] }));
    const unknown = await ask('rob', path, callBody('no_such_tool', { entities: [entity('Ada')] }));
    const badlyDenied = await ask('rob', path, callBody('create_entities', { entities: 7 }));
    expect(badlyDenied).toEqual(denied);
    expect({ ...denied, text: denied.text.replace('create_entities', 'no_such_tool') }).toEqual(unknown);
    expect(unknown.text).toContain('unknown tool \\"no_such_tool\\"');
  });

  test('the commit of a write says who made it', async () => {
    await ask('ann', '/graphs/work/memory/mcp', callBody('create_entities', { entities: [entity('Ada')] }));
    expect(await scratch.store.commits({ graph: 'work' })).toMatchObject([
      { actor: 'ann', tool: 'create_entities' },
    ]);
  });

  test('a stream belongs to the actor who opened it', async () => {
    const headers = { ...(await bearer('ann')), 'X-Memory-Workspace': 'work' };
    await withSseClient(
      `${server.url}/sse`,
      (client) => client.callTool({ name: 'get_stats', arguments: {} }),
      headers,
    );
    const stream = await fetch(`${server.url}/sse`, { headers });
    const reader = stream.body?.getReader();
    const path = /data: (.*)/.exec(new TextDecoder().decode((await reader?.read())?.value))?.[1] ?? '';
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const send = async (actor: string) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { ...rpcHeaders, ...headers, ...(await bearer(actor)) },
        body,
      });
    expect((await send('rob')).status).toBe(404);
    expect((await send('ann')).status).toBe(202);
    await reader?.cancel();
  });

  test('isolation: every tool of every surface answers for a graph of others as for one that is not there', async () => {
    await ask(
      'eve',
      '/graphs/other/memory/mcp',
      callBody('create_entities', { entities: [entity('secret')] }),
    );
    const [commit] = await scratch.store.commits({ graph: 'other' });
    // Everything by which a tool could mean something of theirs.
    const meant = {
      names: ['secret'],
      name: 'secret',
      entity_name: 'secret',
      commit_id: commit?.id,
      branch: 'main',
    };
    for (const surface of [...surfaceNames, 'nothing']) {
      const tools = surfaceNames.includes(surface) ? (await surfaceOn(surface)).tools : [];
      for (const tool of [...tools.map(({ name }) => name), 'health', 'graphs_list', 'no_such_tool']) {
        for (const branch of ['', '?branch=none']) {
          const at = (graph: string) =>
            ask('ann', `/graphs/${graph}/${surface}/mcp${branch}`, callBody(tool, meant));
          const there = await at('other');
          const nowhere = await at('nowhere');
          expect(there.status).toBe(nowhere.status);
          expect(there.text.replaceAll('other', 'nowhere')).toBe(nowhere.text);
        }
      }
    }
    const inHeader = async (graph: string) => {
      const response = await fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: { ...rpcHeaders, ...(await bearer('ann')), 'X-Memory-Workspace': graph },
        body: callBody('read_graph'),
      });
      return { status: response.status, text: (await response.text()).replaceAll(graph, '') };
    };
    expect(await inHeader('other')).toEqual(await inHeader('nowhere'));
  });
});

test('a server that asks for no tokens describes no resource, and listens on this machine only', async () => {
  const scratch = await scratchStore(sqlite);
  const server = await startHttpServer({ store: scratch.store, port: 0 });
  expect((await fetch(`${server.url}/.well-known/oauth-protected-resource`)).status).toBe(404);
  await expect(startHttpServer({ store: scratch.store, host: '0.0.0.0', port: 0 })).rejects.toThrow(
    /Without tokens/,
  );
  await server.close();
  await scratch.dispose();
});

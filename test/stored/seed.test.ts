import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { goodClaims, Issuer, signed, signingKey } from '../access/issuer.js';
import { GraphClient } from '../graph/graph-client.js';
import { databaseKinds, scratchFolder, sqlite } from '../helpers/stores.js';
import { callBody, rpcHeaders } from '../server/helpers.js';
import { Kitchen, type KitchenOptions, menu, staticToken, storeQueries } from './kitchen.js';

/*
 * The seed's "Testing" list, item by item. What it says of the handshake and of resources is tested in test/protocol and
 * test/graph as well; here it is on a server with stored queries, tokens and a policy.
 */

const policy = `
version: 1
protected_branches: [main]
rules:
  - id: admin
    allow: { actors: { actor: admin }, actions: [read, change, invoke_query, export, schema_apply, branch_create, branch_delete, branch_merge, graph_list] }
  - { id: curated, allow: { actors: { actor: curated }, actions: [invoke_query] } }
  - { id: one, allow: { actors: { actor: one }, actions: [invoke_query], queries: [quick] } }
  - { id: half, allow: { actors: { actor: half }, actions: [invoke_query, read] } }
  - { id: drafter, allow: { actors: { actor: drafter }, actions: [read, change, invoke_query, export], branch_scope: unprotected } }
  - { id: drafts, allow: { actors: { actor: drafter }, actions: [branch_create], target_branch_scope: unprotected } }
  - { id: changer, allow: { actors: { actor: changer }, actions: [change] } }
  - { id: only-a, allow: { actors: { actor: ann }, actions: [read, invoke_query], graphs: [a] } }
`;
const actors = ['admin', 'curated', 'one', 'half', 'drafter', 'changer', 'ann', 'nobody'];
const builtIn = [
  ...['snapshot', 'schema_get', 'schema_apply', 'query', 'mutate', 'ingest'],
  ...['branches_list', 'branches_create', 'branches_delete', 'branches_merge', 'commits_list', 'commits_get'],
  ...['commits_changes', 'changes_poll', 'diff', 'undo'],
];
const tools = ['quick', 'recipes-of', 'add_recipe'];
const unknownTool = { code: -32602, message: expect.stringContaining('unknown tool') };

const proofs = [
  {
    proof: 'static tokens',
    async open(): Promise<{ options: KitchenOptions; close: () => Promise<void> }> {
      return { options: { policy, actors }, close: async () => {} };
    },
  },
  {
    proof: 'OIDC',
    async open(): Promise<{ options: KitchenOptions; close: () => Promise<void> }> {
      const folder = await scratchFolder();
      await writeFile(join(folder, 'policy.yaml'), policy);
      const key = await signingKey('one');
      const issuer = await Issuer.start([key]);
      const access = await openAccessControl(
        {
          oidc: { issuer: issuer.url, audience: 'trellis' },
          policy: { server: { file: join(folder, 'policy.yaml') } },
        },
        { warn: () => {} },
      );
      const tokenOf = (id: string) =>
        signed(key, { ...goodClaims(issuer.url, Date.now()), sub: id, groups: [] });
      return { options: { access, tokenOf }, close: () => issuer.close() };
    },
  },
];

const setups = [
  ...databaseKinds.map((kind) => ({ ...proofs[0], kind })),
  // Nothing above the verifier knows how a token was verified, so one store will do.
  { ...proofs[1], kind: sqlite },
];

describe.each(setups)('the testing list of the seed, with $proof, on $kind.kind:', ({ kind, open }) => {
  let kitchen: Kitchen;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const opened = (await open?.()) ?? { options: {}, close: async () => {} };
    const folder = await scratchFolder();
    const queries = await storeQueries(folder, menu);
    close = opened.close;
    kitchen = await Kitchen.open(kind, {
      ...opened.options,
      graphs: {
        work: { queries, allowAdhoc: true },
        a: { queries: queries.slice(0, 1), allowAdhoc: true },
        b: { queries: queries.slice(1, 2), allowAdhoc: true },
      },
    });
  });
  afterAll(async () => {
    await kitchen.close();
    await close();
  });

  const as = (actor: string, graph?: string) => kitchen.as(actor, graph);

  describe('protocol conformance', () => {
    const raw = async (actor: string, body: string) => {
      const response = await fetch(`${kitchen.server.url}/graphs/work/mcp`, {
        method: 'POST',
        headers: { ...rpcHeaders, ...(await kitchen.headers(actor)) },
        body,
      });
      // One event, or plain JSON: both are fine with the protocol.
      const text = (await response.text()).replace(/^event: message\ndata: /, '');
      return JSON.parse(text) as { result?: object; error?: { code: number; message: string } };
    };

    test('the handshake advertises tools and resources, and that neither list ever changes by itself', async () => {
      const capabilities = await (await as('admin')).with(async (client) => client.getServerCapabilities());
      expect(capabilities).toMatchObject({ tools: expect.anything(), resources: expect.anything() });
      expect(capabilities?.tools?.listChanged ?? false).toBe(false);
      expect(capabilities?.resources?.listChanged ?? false).toBe(false);
    });

    test('tools are listed with their schemas and hints', async () => {
      const listed = await (await as('admin')).with((client) => client.listTools());
      expect(listed.tools.map(({ name }) => name)).toEqual([...builtIn, ...tools]);
      expect(listed.tools.find(({ name }) => name === 'quick')).toEqual({
        name: 'quick',
        title: 'quick',
        description:
          'Recipes that take no longer than so many minutes.\n\nAsk the user how much time there is.',
        inputSchema: {
          type: 'object',
          properties: {
            most: { type: 'integer' },
            branch: expect.objectContaining({ type: 'string' }),
            snapshot: expect.objectContaining({ type: 'string' }),
          },
          required: ['most'],
          additionalProperties: false,
        },
        outputSchema: expect.objectContaining({ type: 'object', additionalProperties: false }),
        annotations: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      });
      expect(listed.tools.find(({ name }) => name === 'add_recipe')).toMatchObject({
        annotations: { readOnlyHint: false, destructiveHint: true },
        inputSchema: { properties: { slug: { type: 'string' } }, required: ['slug'] },
      });
      const add = listed.tools.find(({ name }) => name === 'add_recipe');
      expect(Object.keys(add?.inputSchema.properties ?? {})).toEqual([
        'slug',
        'minutes',
        'branch',
        'if_commit',
      ]);
    });

    test('a call answers with content and the same as structured content', async () => {
      const result = await (await as('admin')).with((client) =>
        client.callTool({ name: 'quick', arguments: { most: 30 } }),
      );
      expect(result.structuredContent).toMatchObject({ rows: [{ slug: 'soup', minutes: 20 }] });
      const [block] = result.content;
      expect(block?.type === 'text' ? JSON.parse(block.text) : block).toEqual(result.structuredContent);
    });

    test('an unknown method is -32601, an unknown tool and a malformed call -32602', async () => {
      const call = (method: string, params: object) =>
        raw('admin', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      expect(await call('tools/nothing', {})).toMatchObject({ error: { code: -32601 } });
      expect(await raw('admin', callBody('no_such_tool', {}))).toMatchObject({
        error: { code: -32602, message: 'unknown tool "no_such_tool"' },
      });
      expect(await call('tools/call', { arguments: {} })).toMatchObject({ error: { code: -32602 } });
    });

    test('resources are listed and read', async () => {
      const client = await as('admin');
      const { resources } = await client.with((one) => one.listResources());
      expect(resources.map(({ uri }) => uri)).toEqual(['trellis://schema', 'trellis://branches']);
      const { contents } = await client.with((one) => one.readResource({ uri: 'omnigraph://schema' }));
      expect(contents).toMatchObject([{ text: expect.stringContaining('node Recipe') }]);
      expect(await client.resource('trellis://branches')).toMatchObject({
        branches: expect.arrayContaining(['main']),
      });
    });
  });

  describe('Cedar filtering, coarse', () => {
    test('invoke_query without read or change shows the stored queries that read, and nothing else', async () => {
      expect(await (await as('curated')).names()).toEqual(['quick', 'recipes-of']);
      expect(await (await as('curated')).ok('quick', { most: 30 })).toMatchObject({ row_count: 1 });
    });

    test('an ad-hoc query, the schema and the resources are unknown to such an actor', async () => {
      const client = await as('curated');
      const names = ['query', 'mutate', 'read', 'change', 'schema_get', 'schema_apply', 'snapshot'];
      for (const name of [...names, 'no_such_tool'])
        expect(await client.refusal(name, { source: 'x' })).toMatchObject({
          message: expect.stringContaining(`unknown tool "${name}"`),
        });
      expect((await client.with((one) => one.listResources())).resources).toEqual([]);
      await expect(client.resource('trellis://schema')).rejects.toThrow('unknown resource');
    });

    test('an admin sees the whole catalogue', async () => {
      expect(await (await as('admin')).names()).toEqual([...builtIn, ...tools]);
    });

    test('an actor without any grant is told that there is no such graph', async () => {
      expect((await kitchen.rest('nobody', 'GET', 'queries')).status).toBe(404);
    });
  });

  describe('Cedar filtering, per query', () => {
    test('an actor scoped to one query sees only that', async () => {
      expect(await (await as('one')).names()).toEqual(['quick']);
      expect(await (await as('one')).ok('quick', { most: 30 })).toMatchObject({ row_count: 1 });
      expect(await kitchen.rest('one', 'GET', 'queries')).toMatchObject({
        status: 200,
        body: { queries: [{ name: 'quick' }] },
      });
    });

    test('trust 27: another query is masked: denied, unknown and unexposed are the same but for the name that was sent', async () => {
      const refusal = async (name: string, args: object) => {
        const response = await fetch(`${kitchen.server.url}/graphs/work/mcp`, {
          method: 'POST',
          headers: { ...rpcHeaders, ...(await kitchen.headers('one')) },
          body: callBody(name, args),
        });
        // What is left is the same, byte for byte.
        return `${response.status} ${await response.text()}`.replace(`unknown tool \\"${name}\\"`, 'unknown');
      };
      const denied = await refusal('recipes-of', { email: 'ada@x' });
      expect(denied).toContain('"code":-32602');
      expect(await refusal('no_such_tool', {})).toBe(denied);
      expect(await refusal('all_slugs', {})).toBe(denied);
      // Before its arguments are looked at.
      expect(await refusal('recipes-of', { wrong: 7 })).toBe(denied);
      expect(await refusal('query', { source: 'x' })).toBe(denied);
    });

    test('metrics, which every token may read, do not name the queries of others', async () => {
      await (await as('admin')).ok('recipes-of', { email: 'ada@x' });
      await kitchen.rest('admin', 'POST', 'queries/all_slugs', {});
      const response = await fetch(`${kitchen.server.url}/metrics`, {
        headers: await kitchen.headers('one'),
      });
      const text = await response.text();
      expect(text).toMatch(
        /trellis_tool_calls_total\{surface="graph",tool="stored_query",outcome="ok"\} [1-9]/,
      );
      for (const name of [...tools, 'by_cook', 'all_slugs']) expect(text).not.toContain(`"${name}"`);
    });

    test('over REST a denied query is the 404 of an unknown one', async () => {
      const ask = async (name: string) => {
        const { status, body } = await kitchen.rest('one', 'POST', `queries/${name}`, {
          params: { email: 'ada@x' },
        });
        return `${status} ${JSON.stringify(body).replaceAll(name, 'NAME')}`;
      };
      const unknown = await ask('no_such_query');
      expect(unknown).toContain('404');
      expect(await ask('by_cook')).toBe(unknown);
      expect(await ask('all_slugs')).toBe(unknown);
    });
  });

  describe('parity of each built-in', () => {
    const source = 'query slugs() { match { $r: Recipe } return { $r.slug as slug } order { $r.slug } }';

    test('read and change do what query and mutate do, and are not listed', async () => {
      const client = await as('admin');
      expect(await client.names()).not.toEqual(expect.arrayContaining(['read']));
      expect(await client.names()).not.toEqual(expect.arrayContaining(['change']));
      const call = (name: string, args: Record<string, unknown>) =>
        client.with((one) => one.callTool({ name, arguments: args }));
      expect(await call('read', { source })).toEqual(await call('query', { source }));
      const nothing = { source: 'query none() { delete Cook where email = "nobody" }' };
      expect(await call('change', nothing)).toEqual(await call('mutate', nothing));
      expect(await call('read', { source: 'query' })).toEqual(await call('query', { source: 'query' }));
    });

    type Pair = readonly [tool: string, args: Record<string, unknown>, method: string, path: string];

    test('each tool that reads, or is only tried, answers what its route answers', async () => {
      const client = await as('admin');
      const commit = (await client.ok('snapshot'))['commit_id'] as string;
      const schema = (await client.ok('schema_get'))['schema_source'] as string;
      const pairs: readonly Pair[] = [
        ['snapshot', {}, 'GET', 'snapshot'],
        ['schema_get', {}, 'GET', 'schema'],
        ['schema_apply', { schema: `${schema}\nnode More {}`, dry_run: true }, 'POST', 'schema/apply'],
        ['query', { source }, 'POST', 'query'],
        ['mutate', { source: 'query n() { delete Cook where email = "x" }' }, 'POST', 'mutate'],
        ['ingest', { ndjson: '' }, 'POST', 'ingest'],
        ['branches_list', {}, 'GET', 'branches'],
        ['commits_list', {}, 'GET', 'commits'],
        ['commits_get', { commit_id: commit }, 'GET', `commits/${commit}`],
      ];
      for (const [tool, args, method, path] of pairs) {
        const answered = await kitchen.rest('admin', method, path, method === 'GET' ? undefined : args);
        expect(answered, tool).toEqual({ status: 200, body: await client.ok(tool, args) });
      }
    });

    test('what a tool refuses its route refuses in the same words', async () => {
      const pairs: readonly Pair[] = [
        ['snapshot', { branch: 'nope' }, 'GET', 'snapshot?branch=nope'],
        ['schema_get', { snapshot: 'nope' }, 'GET', 'schema?snapshot=nope'],
        ['schema_apply', { schema: 'node A {}', dry_run: true }, 'POST', 'schema/apply'],
        ['query', { source: 'query q() { match { $x: Nope } return { $x } }' }, 'POST', 'query'],
        ['mutate', { source: 'query q() { insert Nope {} }' }, 'POST', 'mutate'],
        ['ingest', { ndjson: '{"type":"Nope"}' }, 'POST', 'ingest'],
        ['branches_create', { name: 'main' }, 'POST', 'branches'],
        ['branches_delete', { name: 'main' }, 'DELETE', 'branches/main'],
        ['branches_merge', { source: 'nope' }, 'POST', 'branches/merge'],
        ['commits_list', { cursor: 'nope' }, 'GET', 'commits?cursor=nope'],
        ['commits_get', { commit_id: 'nope' }, 'GET', 'commits/nope'],
      ];
      for (const [tool, args, method, path] of pairs) {
        const result = await (await as('admin')).error(tool, args);
        const { status, body } = await kitchen.rest(
          'admin',
          method,
          path,
          method === 'POST' ? args : undefined,
        );
        const { message, hint } = body['error'] as Record<string, unknown>;
        expect(status, tool).toBeGreaterThanOrEqual(400);
        expect([message, hint].filter((part) => part !== undefined).join(' '), tool).toBe(result[0]);
      }
    });

    test('branches made, merged and deleted by a route are so for the tools, and the other way round', async () => {
      const client = await as('admin');
      const cook = (email: string, branch: string) =>
        client.ok('mutate', { source: `query c() { insert Cook { email: "${email}" } }`, branch });
      for (const [make, other] of [
        ['tool', 'route'],
        ['route', 'tool'],
      ] as const) {
        const does = {
          tool: async (tool: string, args: Record<string, unknown>) => client.ok(tool, args),
          route: async (tool: string, args: Record<string, unknown>) => {
            const routes: Record<string, readonly [string, string]> = {
              branches_create: ['POST', 'branches'],
              branches_merge: ['POST', 'branches/merge'],
              branches_delete: ['DELETE', `branches/${args['name']}`],
            };
            const [method = '', path = ''] = routes[tool] ?? [];
            return (await kitchen.rest('admin', method, path, method === 'POST' ? args : undefined)).body;
          },
        };
        const [into, from] = [`into-${make}`, `from-${make}`];
        expect(await does[make]('branches_create', { name: into })).toEqual({ name: into, from: 'main' });
        expect(await does[other]('branches_create', { name: from, from: into })).toEqual({
          name: from,
          from: into,
        });
        await cook(`${make}@x`, from);
        expect(
          await does[make]('branches_merge', { source: from, target: into, delete_branch: true }),
        ).toEqual({
          ...{ source: from, target: into, outcome: 'fast_forward', branch_deleted: true },
          commit_id: expect.any(String),
          graph_commit_id: expect.any(String),
          commit: expect.objectContaining({ commit_id: expect.any(String) }),
        });
        expect(await does[other]('branches_delete', { name: into })).toEqual({ name: into, deleted: true });
        expect((await client.ok('branches_list'))['branches']).not.toEqual(
          expect.arrayContaining([expect.stringContaining(`-${make}`)]),
        );
      }
    });
  });

  describe('double gating', () => {
    test('a stored mutation needs invoke_query and change', async () => {
      for (const actor of ['half', 'changer', 'curated']) {
        const client = await as(actor);
        expect(await client.names()).not.toEqual(expect.arrayContaining(['add_recipe']));
        expect(await client.refusal('add_recipe', { slug: 'x' })).toEqual(unknownTool);
        const refused = await kitchen.rest(actor, 'POST', 'queries/add_recipe', { params: { slug: 'x' } });
        expect(refused.status).toBe(404);
      }
      const admin = await as('admin');
      await admin.ok('branches_create', { name: 'gated' });
      expect(await admin.ok('add_recipe', { slug: 'pie', branch: 'gated' })).toMatchObject({
        query_name: 'add_recipe',
        branch: 'gated',
        affected_nodes: 1,
        actor_id: 'admin',
      });
    });

    test('schema_apply needs schema_apply', async () => {
      for (const actor of ['half', 'changer', 'drafter'])
        expect(await (await as(actor)).refusal('schema_apply', { schema: '' })).toEqual(unknownTool);
    });
  });

  describe('mcp.expose: false', () => {
    test('such a query is in GET /queries and callable there, but not a tool', async () => {
      const { body } = await kitchen.rest('admin', 'GET', 'queries');
      expect(body['queries']).toEqual([
        {
          name: 'quick',
          tool_name: 'quick',
          description: 'Recipes that take no longer than so many minutes.',
          instruction: 'Ask the user how much time there is.',
          mutation: false,
          exposed: true,
          params: [{ name: 'most', kind: 'int', nullable: false }],
        },
        expect.objectContaining({ name: 'by_cook', tool_name: 'recipes-of', description: null }),
        expect.objectContaining({ name: 'add_recipe', mutation: true }),
        expect.objectContaining({ name: 'all_slugs', exposed: false, params: [] }),
      ]);
      expect(await kitchen.rest('admin', 'POST', 'queries/all_slugs')).toMatchObject({
        status: 200,
        body: { query_name: 'all_slugs', rows: expect.arrayContaining([{ slug: 'soup' }]) },
      });
      const client = await as('admin');
      expect(await client.names()).not.toContain('all_slugs');
      for (const name of ['all_slugs', 'no_such_tool'])
        expect(await client.refusal(name)).toEqual({ code: -32602, message: `unknown tool "${name}"` });
    });
  });

  describe('branch-scoped lists', () => {
    test('a tool is listed if it is allowed on some branch; the call decides', async () => {
      const client = await as('drafter');
      expect(await client.names()).toEqual(
        expect.arrayContaining(['branches_create', 'add_recipe', 'quick']),
      );
      expect(await client.refusal('quick', { most: 30, branch: 'main' })).toEqual(unknownTool);
      expect((await client.error('quick', { most: 30 })).join('')).toContain('on the branch "main"');
      expect(await client.refusal('add_recipe', { slug: 'x', branch: 'main' })).toEqual(unknownTool);
      expect(await client.refusal('branches_create', { name: 'main' })).toEqual(unknownTool);
      const admin = await as('admin');
      await admin.ok('branches_create', { name: 'sketch' });
      expect(await client.ok('quick', { most: 30, branch: 'sketch' })).toMatchObject({
        target: { branch: 'sketch', snapshot: null },
      });
      expect(await client.ok('add_recipe', { slug: 'x', branch: 'sketch' })).toMatchObject({
        branch: 'sketch',
      });
    });

    test('a snapshot of a branch that may not be read is a commit that is not there', async () => {
      const client = await as('drafter');
      const commit = (await (await as('admin')).ok('snapshot'))['commit_id'] as string;
      const unknown = 'x'.repeat(26);
      const denied = await client.error('quick', { most: 30, snapshot: commit });
      const missing = await client.error('quick', { most: 30, snapshot: unknown });
      expect(denied.join().replace(commit, 'ID')).toBe(missing.join().replace(unknown, 'ID'));
    });

    test('a snapshot of a branch that may be exported is exported, another is a commit that is not there', async () => {
      const admin = await as('admin');
      const draft = await admin.ok('ingest', {
        ...{ ndjson: '{"type":"Cook","data":{"email":"bob@x"}}', branch: 'exported', from: 'main' },
      });
      const main = (await admin.ok('snapshot'))['commit_id'];
      const exported = async (commit: unknown) =>
        (
          await fetch(`${kitchen.server.url}/graphs/work/export?snapshot=${commit}`, {
            headers: await kitchen.headers('drafter'),
          })
        ).status;
      expect(await exported(draft['commit_id'])).toBe(200);
      expect(await exported(main)).toBe(404);
      await admin.ok('branches_delete', { name: 'exported' });
    });
  });

  describe('multi-graph isolation', () => {
    test('an endpoint lists the tools of its own graph alone', async () => {
      expect(await (await as('ann', 'a')).names()).toContain('quick');
      expect(await (await as('admin', 'b')).names()).toEqual([...builtIn, 'recipes-of']);
      expect(await (await as('admin', 'b')).refusal('quick', { most: 1 })).toEqual(unknownTool);
      expect((await kitchen.rest('ann', 'GET', 'queries', undefined, 'b')).status).toBe(404);
    });

    test('no commit, branch or cursor of a graph leads into another', async () => {
      const [a, b] = [await as('admin', 'a'), await as('admin', 'b')];
      await b.ok('branches_create', { name: 'only-b' });
      const secret = { source: 'query s() { insert Cook { email: "secret@b" } }', branch: 'only-b' };
      const commit = (await b.ok('mutate', secret))['commit_id'] as string;
      const source = 'query all() { match { $c: Cook } return { $c.email } }';
      for (const [tool, args] of [
        ['query', { source, snapshot: commit }],
        ['query', { source, branch: 'only-b' }],
        ['quick', { most: 1, snapshot: commit }],
        ['schema_get', { snapshot: commit }],
        ['commits_get', { commit_id: commit }],
        ['commits_list', { branch: 'only-b' }],
        ['snapshot', { branch: 'only-b' }],
        ['branches_merge', { source: 'only-b' }],
        ['branches_create', { name: 'x', from: 'only-b' }],
        ['ingest', { ndjson: '', branch: 'y', from: 'only-b' }],
      ] as const)
        expect((await a.error(tool, args)).join(' '), tool).toMatch(/has no (commit|branch)/);
      expect((await kitchen.rest('admin', 'GET', `export?snapshot=${commit}`, undefined, 'a')).status).toBe(
        404,
      );
      expect(await a.ok('branches_list')).toEqual({ branches: ['main'] });
      await b.ok('branches_delete', { name: 'only-b' });
    });

    test('/mcp has the tools of the server alone', async () => {
      const root = new GraphClient(`${kitchen.server.url}/mcp`, await kitchen.headers('admin'));
      expect(await root.names()).toEqual(['health', 'graphs_list']);
      expect(await root.refusal('quick', { most: 1 })).toEqual(unknownTool);
    });
  });

  describe('auth', () => {
    test('a missing or wrong token is 401 with WWW-Authenticate, and never a tool error', async () => {
      for (const headers of [{}, { Authorization: `Bearer ${staticToken('eve')}` }]) {
        const response = await fetch(`${kitchen.server.url}/graphs/work/mcp`, {
          method: 'POST',
          headers: { ...rpcHeaders, ...headers },
          body: callBody('quick', { most: 1 }),
        });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toContain('resource_metadata=');
      }
    });
  });
});

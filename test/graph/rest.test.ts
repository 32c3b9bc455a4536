import { beforeEach, describe, expect, test } from 'vitest';
import { entity } from '../helpers/memory-tools.js';
import { databaseKinds } from '../helpers/stores.js';
import { GraphClient } from './graph-client.js';
import { serveGraphs } from './graph-server.js';

describe.each(databaseKinds)('branches and commits over plain HTTP on $kind', (kind) => {
  const served = serveGraphs(kind);
  let at = '';
  beforeEach(() => {
    at = served.at;
  });

  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${at}/${path}`, {
      method,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const memory = (branch = 'main') =>
    new GraphClient(`${at}/memory/mcp?branch=${encodeURIComponent(branch)}`);
  const create = (branch: string, name: string) =>
    memory(branch).ok('create_entities', { entities: [entity(name)] });

  test('every route answers what its tool answers', async () => {
    const tools = new GraphClient(`${at}/mcp`);
    await create('main', 'Ada');
    await create('main', 'Bob');
    expect(await ask('POST', 'branches', { name: 'a/b' })).toEqual({
      ...{ status: 200, body: { name: 'a/b', from: 'main' } },
    });
    await create('a/b', 'Eve');
    const same = async (path: string, tool: string, args: Record<string, unknown> = {}) =>
      expect(await ask('GET', path)).toEqual({ status: 200, body: await tools.ok(tool, args) });
    await same('branches', 'branches_list');
    await same('snapshot', 'snapshot');
    await same('snapshot?branch=a%2Fb', 'snapshot', { branch: 'a/b' });
    await same('commits', 'commits_list');
    await same('commits?branch=a%2Fb&limit=2', 'commits_list', { branch: 'a/b', limit: 2 });
    const { body } = await ask('GET', 'commits?branch=a%2Fb&limit=1');
    const [{ commit_id: id } = { commit_id: '' }] = body['commits'] as { commit_id: string }[];
    await same(`commits/${id}`, 'commits_get', { commit_id: id });
    const next = await ask('GET', `commits?branch=a%2Fb&limit=1&cursor=${body['nextCursor']}`);
    expect(next.body['commits']).toHaveLength(1);
    expect(await ask('POST', 'branches/merge', { source: 'a/b' })).toMatchObject({
      ...{ status: 200, body: { outcome: 'fast_forward', branch_deleted: false } },
    });
    expect(await ask('DELETE', 'branches/a%2Fb')).toEqual({
      ...{ status: 200, body: { name: 'a/b', deleted: true } },
    });
    expect(await tools.ok('branches_list')).toEqual({ branches: ['main'] });
  });

  describe('what stands behind the question mark', () => {
    const note = { source: 'query add() { insert Note { name: "n" } }' };

    test('is refused where it means nothing, so that nothing is written to another branch than was meant', async () => {
      await ask('POST', 'branches', { name: 'draft' });
      for (const [method, path, body] of [
        ['POST', 'mutate?branch=draft', note],
        ['POST', 'ingest?brnch=draft', '{"type":"Note","data":{"name":"n"}}'],
        ['POST', 'branches?name=other', { name: 'more' }],
        ['POST', 'queries/any?branch=draft', {}],
        ['GET', 'snapshot?brnch=draft', undefined],
        ['GET', 'export?brnch=draft', undefined],
        ['GET', 'snapshot?__proto__=draft', undefined],
        ['DELETE', 'branches/draft?branch=draft', undefined],
      ] as const) {
        const refused = await ask(method, path, body);
        expect(refused, path).toMatchObject({ status: 400, body: { error: { code: 'INVALID_ARGUMENT' } } });
      }
      expect(await ask('GET', 'snapshot?brnch=draft')).toMatchObject({
        body: { error: { message: expect.stringContaining('Did you mean "branch"?') } },
      });
      expect(await ask('GET', 'branches')).toMatchObject({ body: { branches: ['draft', 'main'] } });
      for (const branch of ['main', 'draft'])
        expect(await ask('GET', `snapshot?branch=${branch}`)).toMatchObject({ body: { types: [] } });
    });

    test('is said once', async () => {
      await ask('POST', 'branches', { name: 'draft' });
      expect(await ask('GET', 'snapshot?branch=draft&branch=main')).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining('2 times') } },
      });
    });

    test('is refused beside the arguments of an ingest in JSON', async () => {
      const response = await fetch(`${at}/ingest?mode=append`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ndjson: '{"type":"Note","data":{"name":"n"}}' }),
      });
      expect(response.status).toBe(400);
      expect(await (await fetch(`${at}/export`)).text()).toBe('');
    });
  });

  test('trust 8: null in a body is as if it were left out', async () => {
    const source = 'query all() { match { $n: Note } return { $n.name } }';
    await ask('POST', 'mutate', { source: 'query add() { insert Note { name: "n" } }', branch: null });
    const nothing = { branch: null, snapshot: null, params: null, name: null, query: null, explain: null };
    expect(await ask('POST', 'query', { source, ...nothing })).toMatchObject({
      ...{ status: 200, body: { row_count: 1, target: { branch: 'main' } } },
    });
    // Nobody fills in an address for its own sake: there it is a variable that was not set.
    expect(await ask('GET', 'snapshot?branch=')).toMatchObject({ status: 400 });
  });

  test('X-Trellis-Branch binds a request to a branch, unless its arguments say another', async () => {
    await ask('POST', 'branches', { name: 'draft' });
    const headers = { 'X-Trellis-Branch': 'draft' };
    const post = async (path: string, body: string) => {
      const response = await fetch(`${at}/${path}`, { method: 'POST', headers, body });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const source = 'query add() { insert Note { name: "n" } }';
    expect(await post('mutate', JSON.stringify({ source }))).toMatchObject({ body: { branch: 'draft' } });
    expect(await post('ingest', '{"type":"Note","data":{"name":"m"}}')).toMatchObject({
      body: { branch: 'draft' },
    });
    expect(await post('mutate', JSON.stringify({ source, branch: 'main' }))).toMatchObject({
      body: { branch: 'main' },
    });
    const lines = async (init?: RequestInit) =>
      (await (await fetch(`${at}/export`, init)).text()).trim().split('\n');
    expect(await lines({ headers })).toHaveLength(2);
    expect(await lines()).toHaveLength(1);
    const nowhere = await fetch(`${at}/snapshot`, { headers: { 'X-Trellis-Branch': 'nope' } });
    expect(nowhere.status).toBe(404);
  });

  test.each([
    `"; drop table branch; --`,
    `' or 1=1 --`,
    '__proto__',
    'constructor',
    '%00%25%2F',
    '$(rm -rf /)',
    'a?b#c&d=e',
    '\u202eevil',
  ])('a name in an address or a body is data, whatever it is: %s', async (name) => {
    const inPath = encodeURIComponent(name);
    for (const path of [`commits/${inPath}`, `snapshot?branch=${inPath}`, `export?snapshot=${inPath}`])
      expect((await ask('GET', path)).status, path).toBe(404);
    expect((await ask('POST', `queries/${inPath}`, {})).status).toBe(404);
    expect((await fetch(`${served.server.url}/graphs/${inPath}/snapshot`)).status).toBe(404);
    expect((await ask('GET', `commits?cursor=${inPath}`)).status).toBe(400);
    expect(await ask('POST', 'branches', { name })).toMatchObject({ status: 200, body: { name } });
    expect(await ask('GET', 'branches')).toEqual({
      status: 200,
      body: { branches: ['main', name].sort((one, other) => (one < other ? -1 : 1)) },
    });
    const source = 'query add($name: String) { insert Note { name: $name, text: $name } }';
    expect(await ask('POST', 'mutate', { source, params: { name }, branch: name })).toMatchObject({
      body: { branch: name, affected_nodes: 1 },
    });
    const all = 'query all($name: String) { match { $n: Note { text: $name } } return { $n.text as text } }';
    const asked = { source: all, params: { name }, branch: name };
    expect(await ask('POST', 'query', asked)).toMatchObject({ body: { rows: [{ text: name }] } });
    expect(await ask('GET', 'snapshot')).toMatchObject({ body: { types: [] } });
    expect(await ask('DELETE', `branches/${inPath}`)).toEqual({
      ...{ status: 200, body: { name, deleted: true } },
    });
    expect(await ask('GET', 'branches')).toEqual({ status: 200, body: { branches: ['main'] } });
  });

  test('a branch with slashes is deleted by its name as it is, too', async () => {
    await ask('POST', 'branches', { name: 'x/y/z' });
    expect(await ask('DELETE', 'branches/x/y/z')).toMatchObject({ status: 200 });
  });

  test('conflicts are a 409 with their list', async () => {
    await create('main', 'Ada');
    await ask('POST', 'branches', { name: 'review' });
    await memory('review').ok('delete_entities', { entityNames: ['Ada'] });
    await memory().ok('add_observations', { observations: [{ entityName: 'Ada', contents: ['one'] }] });
    expect(await ask('POST', 'branches/merge', { source: 'review' })).toMatchObject({
      status: 409,
      body: {
        error: { code: 'MERGE_CONFLICT', conflicts: [{ kind: 'delete_vs_update', id: 'node/thing/Ada' }] },
      },
    });
  });

  test.each([
    ['a body that is no JSON', 'POST', 'branches', '{', 400, 'INVALID_ARGUMENT'],
    ['a body that is no object', 'POST', 'branches', '[]', 400, 'INVALID_ARGUMENT'],
    ['no body', 'POST', 'branches/merge', '', 400, 'INVALID_ARGUMENT'],
    ['a name of the wrong type', 'POST', 'branches', '{"name": 7}', 400, 'INVALID_ARGUMENT'],
    ['a body nested too deep', 'POST', 'branches', '['.repeat(10_000), 400, 'INVALID_ARGUMENT'],
    ['a name that is taken', 'POST', 'branches', '{"name": "main"}', 409, 'BRANCH_EXISTS'],
    ['deleting main', 'DELETE', 'branches/main', undefined, 409, 'BRANCH_IN_USE'],
    [
      'merging main, and deleting it',
      'POST',
      'branches/merge',
      '{"source": "main", "target": "none", "delete_branch": true}',
      409,
      'BRANCH_IN_USE',
    ],
    ['a branch that is not there', 'GET', 'snapshot?branch=none', undefined, 404, 'BRANCH_NOT_FOUND'],
    ['a commit that is not there', 'GET', 'commits/none', undefined, 404, 'COMMIT_NOT_FOUND'],
    ['a limit that is no number', 'GET', 'commits?limit=many', undefined, 400, 'INVALID_ARGUMENT'],
  ])('%s', async (_, method, path, body, status, code) => {
    expect(await ask(method, path, body)).toMatchObject({ status, body: { error: { code } } });
  });

  test.each([
    ['commits?limit=many', 'GET /graphs/{graph}/commits'],
    ['search?mode=magic', 'GET /graphs/{graph}/search'],
    ['nodes/Ada/history?limit=0', 'GET /graphs/{graph}/nodes/{name}/history'],
  ])('wrong arguments of %s are those of the route', async (path, route) => {
    const message = expect.stringContaining(`Invalid arguments for ${route}: `);
    expect(await ask('GET', path)).toMatchObject({ status: 400, body: { error: { message } } });
  });

  test('a graph that is not there', async () => {
    at = `${served.server.url}/graphs/nowhere`;
    expect(await ask('GET', 'branches')).toMatchObject({
      ...{ status: 404, body: { error: { code: 'GRAPH_NOT_FOUND' } } },
    });
  });
});

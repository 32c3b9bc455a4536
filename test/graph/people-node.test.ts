import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { addToGateRegistry } from '../../src/gate/registry/edit-gate-registry.js';
import { databaseKinds } from '../helpers/stores.js';
import { PeopleServer } from './people-server.js';

interface Version {
  readonly commit: { readonly commit_id: string; readonly branch: string; readonly tool: string };
  readonly change?: string;
  readonly node_changes: { readonly nodes: readonly object[]; readonly edges: readonly object[] };
}
interface Versions {
  readonly versions: readonly Version[];
  readonly nextCursor?: string;
}
interface Commits {
  readonly commits: readonly Version['commit'][];
}

describe.each(databaseKinds)('one node for people on $kind', (kind) => {
  let server: PeopleServer;
  const hostile = 'a/b ?#%2F <img onerror=x> \u202e';

  beforeAll(async () => {
    server = await PeopleServer.start(kind);
    const memory = server.memory();
    const thing = (name: string, entityType: string, ...observations: string[]) => ({
      ...{ name, entityType, observations },
    });
    await memory.ok('create_entities', {
      entities: [
        thing('Ada', 'person', 'wrote a program'),
        thing('Engine', 'machine'),
        thing(hostile, 'odd', 'x'),
      ],
    });
    await server.mcp('').ok('branches_create', { name: 'draft' });
    await server.memory('writer', 'draft').ok('add_observations', {
      observations: [{ entityName: 'Ada', contents: ['liked horses', 'a secret'] }],
    });
    await server.memory('writer', 'draft').ok('delete_observations', {
      deletions: [{ entityName: 'Ada', observations: ['a secret'] }],
    });
    await memory.ok('create_relations', { relations: [{ from: 'Ada', to: 'Engine', relationType: 'uses' }] });
    await server.mcp('').ok('branches_merge', { source: 'draft' });
    await server.mcp('workspace/').ok('set_summary', { name: 'Ada', summary: 'A mathematician' });
  });
  afterAll(() => server.close());

  test('with its observations, edges and the commit that changed it last', async () => {
    const answer = await server.ok<{ node: { commit_id: string } }>('GET', 'nodes/Ada');
    expect(answer).toEqual({
      node: {
        ...{ name: 'Ada', type: 'person', summary: 'A mathematician' },
        observations: [
          { ordinal: 1, text: 'wrote a program' },
          { ordinal: 2, text: 'liked horses' },
        ],
        ...{ created_at: expect.any(String), updated_at: expect.any(String), commit_id: expect.any(String) },
      },
      edges: {
        out: [
          {
            from: { name: 'Ada', type: 'person' },
            to: { name: 'Engine', type: 'machine' },
            type: 'uses',
            weight: 1,
          },
        ],
        in: [],
      },
    });
    const { commits } = await server.ok<Commits>('GET', 'commits?limit=1');
    expect(answer.node.commit_id).toBe(commits[0]?.commit_id);
    const engine = await server.ok<{ edges: { in: object[] } }>('GET', 'nodes/Engine');
    expect(engine.edges.in).toHaveLength(1);
  });

  test('with blame: what came by a merge is blamed on the commit of the branch', async () => {
    const { node, edges } = await server.ok<Record<string, never>>('GET', 'nodes/Ada?blame=true');
    expect(node).toMatchObject({
      blame: {
        ...{ actor_id: 'boss', tool: 'create_entities', client: 'test/0', branch: 'main' },
        type: { tool: 'create_entities' },
        summary: { actor_id: 'boss', tool: 'set_summary', at: expect.stringMatching(/^20.*Z$/) },
        props: {},
      },
      observations: [
        { ordinal: 1, blame: { actor_id: 'boss', tool: 'create_entities' } },
        { ordinal: 2, blame: { actor_id: 'writer', tool: 'add_observations', branch: 'draft' } },
      ],
    });
    expect(edges).toMatchObject({
      out: [{ blame: { tool: 'create_relations', commit_id: expect.any(String) } }],
    });
  });

  test('as it was at a commit, on a branch, and by a hostile name', async () => {
    const { commits } = await server.ok<Commits>('GET', 'commits?node=Ada');
    const first = commits.at(-1)?.commit_id;
    const then = await server.ok<{ node: object }>('GET', `nodes/Ada?snapshot=${first}&blame=true`);
    expect(then.node).toMatchObject({ observations: [{ ordinal: 1 }] });
    expect(then.node).not.toHaveProperty('summary');
    expect(await server.ok('GET', 'nodes/Ada?branch=draft')).toMatchObject({ edges: { out: [] } });
    const path = `nodes/${encodeURIComponent(hostile)}`;
    expect(await server.ok('GET', path)).toMatchObject({ node: { name: hostile, type: 'odd' } });
    expect(await server.ok<Versions>('GET', `${path}/history`)).toMatchObject({
      versions: [{ change: 'added' }],
    });
  });

  test('a name of several nodes needs the type', async () => {
    const graph = new Graph(server.scratch.store, 'work');
    await graph.write({ actor: 'boss', tool: 'test' }, async ({ rows }) => {
      const [made] = await rows.addIdentities([{ type: 'city', name: 'Engine' }]);
      await rows.putNodes([{ id: made?.node ?? 0, type: 'city', name: 'Engine' }]);
    });
    for (const path of ['nodes/Engine', 'nodes/Engine/history', 'commits?node=Engine']) {
      const { status, body } = await server.ask('boss', 'GET', path);
      expect([status, JSON.stringify(body)]).toEqual([
        409,
        expect.stringMatching(/AMBIGUOUS_NAME.*machine.*city|AMBIGUOUS_NAME.*city.*machine/),
      ]);
    }
    expect(await server.ok('GET', 'nodes/Engine?type=city')).toMatchObject({ node: { type: 'city' } });
    expect((await server.ok<Versions>('GET', 'nodes/Engine/history?type=city')).versions).toHaveLength(1);
    expect((await server.ok<Commits>('GET', 'commits?node=Engine&node_type=city')).commits).toHaveLength(1);
    expect((await server.ask('boss', 'GET', 'nodes/Nobody')).status).toBe(404);
  });

  test('its history: every version as a diff to the one before, in pages', async () => {
    const { versions } = await server.ok<Versions>('GET', 'nodes/Ada/history');
    expect(versions.map(({ commit }) => commit.tool)).toEqual([
      ...['set_summary', 'branches_merge', 'create_relations', 'delete_observations', 'add_observations'],
      'create_entities',
    ]);
    expect(versions.map(({ change }) => change)).toEqual([...Array(5).fill('changed'), 'added']);
    expect(versions[0]?.node_changes).toMatchObject({
      nodes: [{ properties: { summary: { after: 'A mathematician' } } }],
    });
    expect(versions[1]?.node_changes).toMatchObject({
      nodes: [{ properties: { 'observations.2': { after: 'liked horses' } } }],
    });
    expect(versions[2]?.node_changes).toMatchObject({
      nodes: [],
      edges: [{ change: 'added', to: 'Engine' }],
    });
    const first = await server.ok<Versions>('GET', 'nodes/Ada/history?limit=4');
    const rest = await server.ok<Versions>('GET', `nodes/Ada/history?limit=4&cursor=${first.nextCursor}`);
    expect([...first.versions, ...rest.versions]).toEqual(versions);
    expect(rest.nextCursor).toBeUndefined();
  });

  test('values that only a branch had are for those who may read the branch', async () => {
    const { versions } = await server.ok<Versions>('GET', 'nodes/Ada/history', undefined, 'reader');
    expect(JSON.stringify(versions)).not.toContain('a secret');
    expect(versions.find(({ commit }) => commit.tool === 'add_observations')).toMatchObject({
      node_changes: { nodes: [], edges: [] },
    });
    expect(JSON.stringify(await server.ok('GET', 'nodes/Ada/history'))).toContain('a secret');
  });

  test.each(['nodes/Ada', 'nodes/Ada?blame=true', 'nodes/Ada/history', 'commits?node=Ada'])(
    '%s is for those who may read',
    async (path) => {
      for (const actor of ['writer', 'nobody'] as const)
        expect([403, 404]).toContain((await server.ask(actor, 'GET', path)).status);
      expect((await server.ask('reader', 'GET', path)).status).toBe(200);
      const onDraft = `${path}${path.includes('?') ? '&' : '?'}branch=draft`;
      expect([403, 404]).toContain((await server.ask('reader', 'GET', onDraft)).status);
    },
  );

  test('the gate registry is not shown, neither as a node nor by its history', async () => {
    const graph = new Graph(server.scratch.store, 'work');
    const entry = {
      name: 'Hidden',
      kind: 'node',
      required: [],
      absorbs: [],
      types: {},
      from: [],
      to: [],
    } as const;
    await graph.write({ actor: 'boss', tool: 'test' }, (tx) => addToGateRegistry(tx, 'work', entry));
    for (const path of ['nodes/Hidden', 'nodes/Hidden/history'])
      expect((await server.ask('boss', 'GET', path)).status).toBe(404);
  });

  test('a deleted node still has its history', async () => {
    const memory = server.memory();
    await memory.ok('create_entities', {
      entities: [{ name: 'Gone', entityType: 'thing', observations: [] }],
    });
    await memory.ok('delete_entities', { entityNames: ['Gone'] });
    const { versions } = await server.ok<Versions>('GET', 'nodes/Gone/history');
    expect(versions.map(({ change }) => change)).toEqual(['removed', 'added']);
    expect((await server.ask('boss', 'GET', 'nodes/Gone')).status).toBe(404);
  });

  test('every write over REST takes a message', async () => {
    const lines = '{"type":"Note","data":{"name":"n"}}';
    const say = (path: string, body: object) => server.ok('POST', path, { ...body, message: `by ${path}` });
    await server.ok('POST', 'branches', { name: 'told' });
    await say('ingest', { ndjson: lines, branch: 'told' });
    const streamed = await fetch(`${server.url}/graphs/work/ingest?branch=told&message=streamed`, {
      ...{ method: 'POST', body: lines.replace('"n"', '"m"') },
      headers: { ...server.headers('boss'), 'Content-Type': 'application/x-ndjson' },
    });
    expect(streamed.status).toBe(200);
    await say('mutate', { branch: 'told', source: 'query gone() { delete Note where name = "m" }' });
    await say('branches/merge', { source: 'told' });
    const { commits } = await server.ok<Commits>('GET', 'commits?limit=4');
    expect(commits).toMatchObject([
      ...[{ message: 'by branches/merge' }, { message: 'by mutate' }, { message: 'streamed' }],
      { message: 'by ingest' },
    ]);
    const long = { ndjson: lines, message: 'x'.repeat(1_001) };
    expect((await server.ask('boss', 'POST', 'ingest', long)).status).toBe(400);
  });

  test('commits by actor, tool and time', async () => {
    const tools = async (query: string) =>
      (await server.ok<Commits>('GET', `commits?${query}`)).commits.map(({ tool }) => tool);
    expect(await tools('actor=writer')).toEqual(['delete_observations', 'add_observations']);
    expect(await tools('tool=set_summary')).toEqual(['set_summary']);
    expect(await tools('since=2100-01-01')).toEqual([]);
    expect(await tools('until=2000-01-01')).toEqual([]);
    expect((await server.ask('boss', 'GET', 'commits?since=soon')).status).toBe(400);
  });
});

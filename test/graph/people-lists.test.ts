import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { addToGateRegistry } from '../../src/gate/registry/edit-gate-registry.js';
import { databaseKinds } from '../helpers/stores.js';
import { PeopleServer } from './people-server.js';

interface Page {
  readonly nodes: readonly { readonly name: string }[];
  readonly hits: readonly { readonly name: string; readonly matches: readonly unknown[] }[];
  readonly changes: readonly {
    readonly commit: { readonly commit_id: string; readonly actor_id: string; readonly created_at: string };
    readonly nodes: readonly unknown[];
  }[];
  readonly nextCursor?: string;
}

const names = (page: Page) => (page.nodes ?? page.hits).map(({ name }) => name);

describe.each(databaseKinds)('lists for people on $kind', (kind) => {
  let server: PeopleServer;

  beforeAll(async () => {
    server = await PeopleServer.start(kind);
    const memory = server.memory();
    const thing = (name: string, entityType: string, ...observations: string[]) => ({
      ...{ name, entityType, observations },
    });
    await memory.ok('create_entities', {
      entities: [
        thing('Ada', 'person', 'wrote the first program', 'liked horses'),
        thing('Babbage', 'person', 'built the difference engine'),
        thing('Engine', 'machine', 'has many cogs and never ran a program'),
      ],
    });
    await memory.ok('create_relations', {
      relations: [{ from: 'Babbage', to: 'Engine', relationType: 'built' }],
    });
    const workspace = server.mcp('workspace/');
    await workspace.ok('set_tags', { name: 'Ada', tags: ['pioneer'] });
    await workspace.ok('set_summary', { name: 'Ada', summary: 'A mathematician' });
    await server.mcp('').ok('branches_create', { name: 'draft' });
    await server.memory('boss', 'draft').ok('create_entities', { entities: [thing('Secret', 'plan')] });
    await server.memory('writer').ok('add_observations', {
      observations: [{ entityName: 'Engine', contents: ['is in London'] }],
    });
  });
  afterAll(() => server.close());

  describe('nodes', () => {
    test('in creation order, with counts and times', async () => {
      const { nodes } = await server.ok<Page>('GET', 'nodes');
      expect(nodes).toEqual([
        {
          ...{ name: 'Ada', type: 'person', summary: 'A mathematician', tags: ['pioneer'] },
          ...{ observation_count: 2, updated_at: expect.stringMatching(/^20.*Z$/) },
        },
        { name: 'Babbage', type: 'person', observation_count: 1, updated_at: expect.any(String) },
        { name: 'Engine', type: 'machine', observation_count: 2, updated_at: expect.any(String) },
      ]);
    });

    test('by type, by tag, in pages, on a branch and as they were', async () => {
      expect(names(await server.ok('GET', 'nodes?type=person'))).toEqual(['Ada', 'Babbage']);
      expect(names(await server.ok('GET', 'nodes?tag=pioneer'))).toEqual(['Ada']);
      expect(names(await server.ok('GET', 'nodes?tag=pioneer&type=machine'))).toEqual([]);
      const first = await server.ok<Page>('GET', 'nodes?limit=2');
      expect(names(first)).toEqual(['Ada', 'Babbage']);
      const rest = await server.ok<Page>('GET', `nodes?limit=2&cursor=${first.nextCursor}`);
      expect([names(rest), rest.nextCursor]).toEqual([['Engine'], undefined]);
      expect(names(await server.ok('GET', 'nodes?branch=draft'))).toContain('Secret');
      const { changes } = await server.ok<Page>('GET', 'recent');
      const then = changes.at(-1)?.commit.commit_id;
      const { nodes } = await server.ok<Page>('GET', `nodes?snapshot=${then}`);
      expect(nodes[0]).not.toHaveProperty('summary');
    });
  });

  test('types with counts, the most frequent first', async () => {
    expect(await server.ok('GET', 'types')).toEqual({
      node_types: [
        { type: 'person', count: 2 },
        { type: 'machine', count: 1 },
      ],
      edge_types: [{ type: 'built', count: 1 }],
    });
  });

  test('stats', async () => {
    expect(await server.ok('GET', 'stats')).toEqual({
      ...{ graph: 'work', branch: 'main', store: kind.kind, nodes: 3, edges: 1, observations: 5 },
      ...{ commits: 5, branches: 2, embedding_coverage: expect.any(Number) },
    });
    expect(await server.ok('GET', 'stats?branch=draft')).toMatchObject({ nodes: 4, commits: 5 });
    expect(await server.ok('GET', 'stats', undefined, 'reader')).toMatchObject({ branches: 1 });
  });

  describe('recent changes', () => {
    test('newest first, with the nodes of each commit', async () => {
      const { changes } = await server.ok<Page>('GET', 'recent');
      expect(changes).toHaveLength(5);
      expect(changes[0]).toMatchObject({
        commit: { actor_id: 'writer', tool: 'add_observations', branch: 'main' },
        ...{ nodes: [{ name: 'Engine', type: 'machine', change: 'changed' }], edges: 0 },
      });
      expect(changes[3]).toMatchObject({ nodes: [], edges: 1 });
      expect(changes[4]?.nodes).toHaveLength(3);
      expect(changes[4]).toMatchObject({
        ...{ nodes: [{ name: 'Ada', type: 'person', change: 'added' }, {}, {}], has_more_nodes: false },
      });
    });

    test('by actor, since a time, and in pages', async () => {
      const by = await server.ok<Page>('GET', 'recent?actor=writer');
      expect(by.changes).toHaveLength(1);
      const later = '2100-01-01T00:00:00Z';
      expect(await server.ok('GET', `recent?since=${later}`)).toEqual({ changes: [] });
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const page = await server.ok<Page>('GET', `recent?limit=2${cursor}`);
        seen.push(...page.changes.map(({ commit }) => commit.commit_id));
        if (page.nextCursor === undefined) break;
        cursor = `&cursor=${page.nextCursor}`;
      }
      expect(new Set(seen).size).toBe(5);
      expect(seen).toHaveLength(5);
    });

    test('a large commit lists its first nodes, and counts its edges', async () => {
      await server.mcp('').ok('branches_create', { name: 'large' });
      const at = server.memory('boss', 'large');
      const entities = Array.from({ length: 60 }, (_, index) => ({
        ...{ name: `number ${index}`, entityType: 'number', observations: [] },
      }));
      await at.ok('create_entities', { entities });
      await at.ok('create_relations', {
        relations: entities.map(({ name }) => ({ from: name, to: 'Ada', relationType: 'counts' })),
      });
      const { changes } = await server.ok<Page>('GET', 'recent?branch=large&limit=2');
      expect(changes[0]).toMatchObject({ nodes: [], has_more_nodes: false, edges: 60 });
      expect(changes[1]).toMatchObject({ has_more_nodes: true, edges: 0 });
      expect(changes[1]?.nodes).toEqual(
        entities.slice(0, 50).map(({ name }) => ({ name, type: 'number', change: 'added' })),
      );
    });

    test('a removed node is named', async () => {
      await server.mcp('').ok('branches_create', { name: 'gone' });
      await server.memory('boss', 'gone').ok('delete_entities', { entityNames: ['Ada'] });
      const { changes } = await server.ok<Page>('GET', 'recent?branch=gone&limit=1');
      expect(changes[0]?.nodes).toEqual([{ name: 'Ada', type: 'person', change: 'removed' }]);
    });
  });

  describe('search', () => {
    test.each(['text', 'embedding', 'meaning', 'hybrid'])('by %s, with what matched', async (mode) => {
      const { hits } = await server.ok<Page>('GET', `search?q=horses&mode=${mode}`);
      expect(hits[0]).toMatchObject({
        ...{ name: 'Ada', type: 'person', tags: ['pioneer'], actor_id: 'boss', score: expect.any(Number) },
        matches: [{ ordinal: 2, text: 'liked horses' }],
      });
    });

    test('several observations of a node that match, and no others', async () => {
      await server.mcp('').ok('branches_create', { name: 'several' });
      const observations = ['tea at noon', 'a cup of coffee', 'green tea', 'tea again', 'tea once more'];
      await server
        .memory('boss', 'several')
        .ok('create_entities', { entities: [{ name: 'Pot', entityType: 'thing', observations }] });
      for (const mode of ['text', 'hybrid']) {
        const { hits } = await server.ok<Page>('GET', `search?q=tea&mode=${mode}&branch=several`);
        expect(hits[0]).toMatchObject({ name: 'Pot', matches: [{}, {}, {}] });
        for (const match of hits[0]?.matches ?? [])
          expect(match).toMatchObject({ text: expect.stringContaining('tea') });
        expect(new Set(hits[0]?.matches.map((match) => JSON.stringify(match))).size).toBe(3);
      }
    });

    test('filters by type, tag, actor and time', async () => {
      const found = async (more: string) =>
        names(await server.ok('GET', `search?mode=text&q=program${more}`)).sort();
      expect(await found('')).toEqual(['Ada', 'Engine']);
      expect(await found('&type=machine')).toEqual(['Engine']);
      expect(await found('&tag=pioneer')).toEqual(['Ada']);
      expect(await found('&actor=writer')).toEqual(['Engine']);
      expect(await found('&since=2100-01-01')).toEqual([]);
      expect(await found('&until=2100-01-01')).toEqual(['Ada', 'Engine']);
      expect(await found('&min_confidence=0.5')).toEqual([]);
    });

    test('pages go on where the last one ended, filtered or not', async () => {
      for (const more of ['', '&until=2100-01-01']) {
        const first = await server.ok<Page>('GET', `search?mode=text&q=program&limit=1${more}`);
        const next = `&cursor=${first.nextCursor}`;
        const rest = await server.ok<Page>('GET', `search?mode=text&q=program&limit=1${more}${next}`);
        expect([...names(first), ...names(rest)].sort()).toEqual(['Ada', 'Engine']);
      }
    });

    test('without a query, what changed last comes first', async () => {
      const all = await server.ok<Page>('GET', 'search');
      expect(names(all)).toEqual(['Engine', 'Ada', 'Babbage']);
      expect(all.hits[0]).toMatchObject({ matches: [], actor_id: 'writer' });
      expect(names(await server.ok('GET', 'search?type=person'))).toEqual(['Ada', 'Babbage']);
    });

    test('finds the end of a very long text, and shows where', async () => {
      const text = `${'filler '.repeat(20_000)}needle ${'more '.repeat(1_000)}`;
      await server.mcp('').ok('branches_create', { name: 'long' });
      await server
        .memory('boss', 'long')
        .ok('create_entities', { entities: [{ name: 'Long', entityType: 'text', observations: [text] }] });
      const { hits } = await server.ok<Page>('GET', 'search?q=needle&mode=text&branch=long');
      expect(hits[0]?.matches).toEqual([{ ordinal: 1, text: expect.stringMatching(/^….*needle.*…$/) }]);
      expect(JSON.stringify(hits[0]).length).toBeLessThan(1_000);
    });
  });

  test('the gate registry is no part of what people see', async () => {
    const paths = ['nodes', 'types', 'stats', 'search', 'search?q=Registered&mode=text'];
    const seen = () => Promise.all(paths.map((path) => server.ok(`GET`, path)));
    const before = await seen();
    const graph = new Graph(server.scratch.store, 'work');
    const entry = { required: ['name'], absorbs: [], types: {}, from: [], to: [] };
    await graph.write({ actor: 'operator', tool: 'schema add' }, (tx) =>
      addToGateRegistry(tx, 'work', { ...entry, name: 'Registered', kind: 'node' }),
    );
    const [nodes, types, stats, ...searches] = await seen();
    expect([nodes, types, ...searches]).toEqual([before[0], before[1], ...before.slice(3)]);
    expect(stats).toEqual({ ...before[2], commits: 6 });
    const { changes } = await server.ok<Page>('GET', 'recent?limit=1');
    expect(changes[0]).toMatchObject({ commit: { actor_id: 'operator' }, nodes: [] });
  });

  describe('a reader', () => {
    const paths = ['nodes', 'types', 'stats', 'recent', 'search', 'search?q=program'];

    test.each(paths)('is shown main alone: %s', async (path) => {
      const join = path.includes('?') ? '&' : '?';
      expect(await server.ask('reader', 'GET', path)).toMatchObject({ status: 200 });
      const draft = await server.ask('reader', 'GET', `${path}${join}branch=draft`);
      const absent = await server.ask('reader', 'GET', `${path}${join}branch=absent`);
      expect(draft.status).toBe(absent.status);
      expect(JSON.stringify(draft.body).replaceAll('draft', 'absent')).toBe(JSON.stringify(absent.body));
      expect(JSON.stringify(await server.ok('GET', path, undefined, 'reader'))).not.toContain('Secret');
    });

    test.each(paths)('who may only write, or nothing, sees nothing: %s', async (path) => {
      expect((await server.ask('writer', 'GET', path)).status).toBe(403);
      expect((await server.ask('nobody', 'GET', path)).status).toBe(404);
    });
  });

  test.each([
    ['nodes?limit=0', 'limit'],
    ['nodes?limit=x', 'limit'],
    ['nodes?limit=1e3', 'limit'],
    ['nodes?limit=1001', 'limit'],
    ['nodes?cursor=abc', 'cursor'],
    ['recent?since=yesterday', 'since'],
    ['recent?cursor=bm9kZXMgMQ', 'cursor'],
    ['search?min_confidence=2', 'min_confidence'],
    ['search?min_confidence=', 'min_confidence'],
    ['search?mode=magic', 'mode'],
    ['search?q=a&cursor=%00', 'cursor'],
  ])('refuses %s, and names what is wrong', async (path, what) => {
    expect(await server.ask('boss', 'GET', path)).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_ARGUMENT', message: expect.stringContaining(what) } },
    });
  });

  test.each([`%`, `' or 1=1 --`, '\u202eevil', '<img onerror=alert(1)>', '👩‍🚀', 'a/b', 'x'.repeat(2_000)])(
    'takes any text as data: %s',
    async (text) => {
      const value = encodeURIComponent(text);
      for (const path of [`nodes?type=${value}`, `nodes?tag=${value}`, `search?tag=${value}`])
        expect(names(await server.ok('GET', path))).toEqual([]);
      await server.ok('GET', `search?mode=text&q=${value}`);
      expect(await server.ok('GET', `recent?actor=${value}`)).toEqual({ changes: [] });
    },
  );
});

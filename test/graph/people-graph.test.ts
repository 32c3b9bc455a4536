import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { neighbourhood } from '../../src/engine/traverse/neighbourhood.js';
import { databaseKinds } from '../helpers/stores.js';
import { PeopleServer } from './people-server.js';

interface Drawn {
  readonly nodes: readonly { readonly name: string; readonly degree: number; readonly commit: number }[];
  readonly edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly type: string;
    readonly commit: number;
  }[];
  readonly commits: readonly { readonly actor_id: string; readonly at: string }[];
  readonly truncated: boolean;
}

const odd = ['a/b', '50%', '👩‍🚀', '<img onerror=alert(1)>', '\u202eevil', 'x'.repeat(2_500)];

describe.each(databaseKinds)('the graph as people look at it on $kind', (kind) => {
  let server: PeopleServer;

  beforeAll(async () => {
    server = await PeopleServer.start(kind);
    const add = (name: string, ...observations: string[]) => ({
      ...{ op: 'add_node', name, type: 'thing', observations },
    });
    const link = (from: string, to: string, type = 'knows') => ({ op: 'add_edge', from, to, type });
    await edit('main', [
      ...['hub', 'a', 'b', 'c', 'far'].map((name) => add(name)),
      add('lone', 'is fond of hub', 'really fond of hub'),
      add('twin one', 'the quick brown fox jumps over the lazy dog'),
      add('twin two', 'the quick brown fox jumps over the lazy dog'),
      ...['a', 'b', 'c'].map((name) => link('hub', name)),
      ...[link('c', 'far', 'likes'), link('a', 'b', 'likes')],
      ...odd.flatMap((name) => [add(name), link(name, 'far', 'odd')]),
    ]);
    await server.mcp('').ok('branches_create', { name: 'draft' });
    await edit('draft', [add('Secret'), link('Secret', 'hub')]);
  });
  afterAll(() => server.close());

  const edit = (branch: string, operations: object[]) => server.ok('POST', 'edit', { branch, operations });
  const drawn = async (query: string) => {
    const { nodes, edges, truncated } = await server.ok<Drawn>('GET', `neighborhood?${query}`);
    return {
      names: nodes.map(({ name }) => name),
      edges: edges.map(({ from, to, type }) => `${nodes[from]?.name} ${type} ${nodes[to]?.name}`).sort(),
      truncated,
    };
  };

  test('the neighborhood of a node, nearest first', async () => {
    expect(await drawn('name=hub')).toEqual({
      names: ['hub', 'a', 'b', 'c'],
      edges: ['a likes b', 'hub knows a', 'hub knows b', 'hub knows c'],
      truncated: false,
    });
    expect((await drawn('name=hub&depth=2')).names).toEqual(['hub', 'a', 'b', 'c', 'far']);
    expect(await drawn('name=hub&depth=2&limit=2')).toMatchObject({ names: ['hub', 'a'], truncated: true });
    expect(await drawn('name=c&relation=likes&depth=3')).toMatchObject({
      names: expect.arrayContaining(['c', 'far']),
      edges: ['c likes far'],
    });
    const { nodes } = await server.ok<Drawn>('GET', 'neighborhood?name=hub');
    expect(nodes[0]).toEqual({ name: 'hub', type: 'thing', degree: 3, commit: 0 });
  });

  test('who changed each node and edge last, and when', async () => {
    const start = new Date().toISOString();
    await server.mcp('').ok('branches_create', { name: 'signed' });
    await server.memory('writer', 'signed').ok('add_observations', {
      observations: [{ entityName: 'b', contents: ['changed'] }],
    });
    await server.memory('writer', 'signed').ok('create_relations', {
      relations: [{ from: 'b', to: 'c', relationType: 'met' }],
    });
    const { nodes, edges, commits } = await server.ok<Drawn>('GET', 'neighborhood?name=hub&branch=signed');
    const by = (commit: number) => commits[commit]?.actor_id;
    expect(nodes.map(({ name, commit }) => `${name} ${by(commit)}`)).toEqual([
      ...['hub boss', 'a boss', 'b writer', 'c writer'],
    ]);
    expect(edges.map(({ type, commit }) => `${type} ${by(commit)}`).sort()).toEqual([
      ...['knows boss', 'knows boss', 'knows boss', 'likes boss', 'met writer'],
    ]);
    const newest = commits.filter(({ actor_id }) => actor_id === 'writer').map(({ at }) => at);
    for (const at of newest) expect(at >= start).toBe(true);
    expect(newest).toHaveLength(1);
  });

  test('a neighborhood too large to visit is cut, and says so', async () => {
    const around = (maxNodes?: number) =>
      server.scratch.store.read({ graph: 'work' }, (reader) =>
        neighbourhood(reader, { name: 'hub' }, { depth: 3, limit: 50, ...(maxNodes && { maxNodes }) }),
      );
    const whole = await around();
    expect([whole.nodes.length, whole.isCut]).toEqual([11, false]);
    const cut = await around(3);
    expect(cut.isCut).toBe(true);
    expect(cut.nodes[0]?.name).toBe('hub');
    expect(cut.nodes.length).toBeGreaterThan(1);
    for (const { name } of cut.nodes) expect(['hub', 'a', 'b', 'c']).toContain(name);
    expect((await around(50)).isCut).toBe(false);
  });

  test('without a name, the nodes with the most edges come first', async () => {
    const { names, truncated } = await drawn('limit=2');
    expect([names, truncated]).toEqual([['far', 'hub'], true]);
    const all = await drawn('limit=5000');
    expect([all.names.length, all.truncated]).toEqual([14, false]);
  });

  test('the shortest path, or none', async () => {
    expect(await server.ok('GET', 'path?from=a&to=far')).toEqual({
      path: ['a', 'hub', 'c', 'far'].map((name) => ({ name, type: 'thing' })),
      edges: [
        { from: { name: 'hub', type: 'thing' }, to: { name: 'a', type: 'thing' }, type: 'knows' },
        { from: { name: 'hub', type: 'thing' }, to: { name: 'c', type: 'thing' }, type: 'knows' },
        { from: { name: 'c', type: 'thing' }, to: { name: 'far', type: 'thing' }, type: 'likes' },
      ],
    });
    expect(await server.ok('GET', 'path?from=a&to=lone')).toEqual({ path: null, edges: [] });
    expect((await server.ask('boss', 'GET', 'path?from=a&to=nobody')).status).toBe(404);
    expect((await server.ask('boss', 'GET', 'path?from=a')).status).toBe(400);
  });

  test('what needs care', async () => {
    const found = await server.ok<Record<string, { name?: string }[]>>('GET', 'findings');
    expect(found['stale_summaries']?.map(({ name }) => name)).toEqual(['lone', 'twin one', 'twin two']);
    expect(found['gaps']).toContainEqual({
      ...{ node: { name: 'lone', type: 'thing' }, referenced: { name: 'hub', type: 'thing' }, count: 2 },
    });
    expect(found['near_duplicates']).toMatchObject([{ a: { name: 'twin one' }, b: { name: 'twin two' } }]);
    expect(found['orphans']?.map(({ name }) => name)).toEqual(['lone', 'twin one', 'twin two']);
  });

  test('what needs care is not looked for in a graph of more nodes than wanted', async () => {
    const none = { stale_summaries: [], gaps: [], near_duplicates: [], orphans: [] };
    expect(await server.ok('GET', 'findings?max_nodes=13')).toEqual({ ...none, skipped: true });
    const found = await server.ok<Record<string, unknown[]>>('GET', 'findings?max_nodes=14');
    expect(found).not.toHaveProperty('skipped');
    expect(found['orphans']).toHaveLength(3);
  });

  test.each(odd)('any name works: %s', async (name) => {
    const value = encodeURIComponent(name);
    expect((await drawn(`name=${value}&type=thing`)).names).toEqual([name, 'far']);
    expect(await server.ok('GET', `path?from=${value}&to=far&to_type=thing`)).toMatchObject({
      path: [{ name }, { name: 'far' }],
    });
  });

  const paths = ['neighborhood', 'neighborhood?name=hub', 'path?from=hub&to=a', 'findings'];

  test.each(paths)('a reader is shown main alone: %s', async (path) => {
    const join = path.includes('?') ? '&' : '?';
    expect(JSON.stringify(await server.ok('GET', path, undefined, 'reader'))).not.toContain('Secret');
    const draft = await server.ask('reader', 'GET', `${path}${join}branch=draft`);
    const absent = await server.ask('reader', 'GET', `${path}${join}branch=absent`);
    expect(JSON.stringify(draft).replaceAll('draft', 'absent')).toBe(JSON.stringify(absent));
    expect((await server.ask('writer', 'GET', path)).status).toBe(403);
    expect((await server.ask('nobody', 'GET', path)).status).toBe(404);
  });

  test.each([
    'neighborhood?depth=4',
    'neighborhood?depth=0',
    'neighborhood?limit=5001',
    'findings?limit=0',
    'neighborhood?name=',
  ])('refuses %s', async (path) => {
    expect(await server.ask('boss', 'GET', path)).toMatchObject({ status: 400 });
  });
});

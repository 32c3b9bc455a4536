import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { entity } from '../helpers/memory-tools.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { GraphClient } from './graph-client.js';

const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/;

describe.each(databaseKinds)('the graph tools on $kind', (kind) => {
  let scratch: Scratch;
  let server: HttpServer;
  let name = '';
  let graphs = 0;
  let graph: GraphClient;

  beforeAll(async () => {
    scratch = await scratchStore(kind);
    server = await startHttpServer({ store: scratch.store, port: 0 });
  });
  afterAll(async () => {
    await server.close();
    await scratch.dispose();
  });
  beforeEach(async () => {
    name = `g${++graphs}`;
    await scratch.store.createGraph(name);
    graph = new GraphClient(`${server.url}/graphs/${name}/mcp`);
  });

  /** The memory tools on a branch of the same graph. */
  const memory = (branch = 'main') =>
    new GraphClient(`${server.url}/graphs/${name}/memory/mcp?branch=${encodeURIComponent(branch)}`);
  const create = (branch: string, ...entities: object[]) =>
    memory(branch).ok('create_entities', { entities });
  const observe = (branch: string, entityName: string, ...contents: string[]) =>
    memory(branch).ok('add_observations', { observations: [{ entityName, contents }] });
  const namesOn = async (branch = 'main') =>
    ((await memory(branch).ok('read_graph'))['entities'] as { name: string }[]).map((one) => one.name);

  test('snapshot of an empty graph has no commit and no types', async () => {
    expect(await graph.ok('snapshot')).toEqual({
      ...{ branch: 'main', commit_id: null, graph_commit_id: null, seq: 0, types: [] },
    });
  });

  test('snapshot counts nodes and edges by type, without stubs, on the branch that is asked for', async () => {
    await create(
      'main',
      entity('Ada', [], 'person'),
      entity('Bob', [], 'person'),
      entity('Rome', [], 'city'),
    );
    await graph.ok('branches_create', { name: 'review' });
    await memory('review').ok('create_relations', {
      relations: [{ from: 'Ada', to: 'nobody described', relationType: 'knows' }],
    });
    await memory('review').ok('delete_entities', { entityNames: ['Bob'] });
    const main = await graph.ok('snapshot');
    expect(main).toMatchObject({
      ...{ branch: 'main', commit_id: expect.stringMatching(ulid) },
      types: [
        { kind: 'node', name: 'city', row_count: 1 },
        { kind: 'node', name: 'person', row_count: 2 },
      ],
    });
    const review = await graph.ok('snapshot', { branch: 'review' });
    expect(review['types']).toEqual([
      { kind: 'node', name: 'city', row_count: 1 },
      { kind: 'node', name: 'person', row_count: 1 },
      { kind: 'edge', name: 'knows', row_count: 1 },
    ]);
    expect(review['seq']).toBeGreaterThan(main['seq'] as number);
  });

  test('an argument that a tool does not know is refused, so that a misspelt branch is not main', async () => {
    const line = '{"type":"Note","data":{"name":"n"}}';
    const add = 'query add() { insert Note { name: "n" } }';
    const all = 'query all() { match { $n: Note } return { $n.name } }';
    await graph.ok('branches_create', { name: 'draft' });
    for (const [tool, args] of [
      ['ingest', { ndjson: line }],
      ['mutate', { source: add }],
      ['query', { source: all }],
      ['snapshot', {}],
      ['schema_get', {}],
      ['schema_apply', { schema: 'node Note { name: String }' }],
      ['branches_create', { name: 'more' }],
      ['branches_delete', { name: 'draft' }],
      ['branches_merge', { source: 'draft' }],
      ['commits_list', {}],
      ['commits_get', { commit_id: 'x' }],
    ] as const) {
      const [text] = await graph.error(tool, { ...args, brnch: 'draft' });
      expect(text, tool).toMatch(/unknown argument "brnch" \((did you mean branch\?|use .+)\)/);
    }
    const [text] = await graph.error('branches_merge', {
      source: 'draft',
      resolutions: [{ id: 'node/Note/n', propery: 'name', take: 'source' }],
    });
    expect(text).toContain('propery');
    expect(await graph.ok('branches_list')).toEqual({ branches: ['draft', 'main'] });
    expect(await graph.ok('snapshot')).toMatchObject({ commit_id: null });
    // Models that have to say something say it to tools that take nothing.
    expect(await graph.ok('branches_list', { random_string: '' })).toEqual({ branches: ['draft', 'main'] });
  });

  test('lines that hold half of a surrogate pair are refused, not mended to something else', async () => {
    const line = '{"type":"Note","data":{"name":"a\ud800b"}}';
    for (const args of [{ ndjson: line }, { data: line }]) {
      const [text] = await graph.error('ingest', args);
      expect(text).toContain('contains half of a surrogate pair');
    }
    expect(await graph.ok('snapshot')).toMatchObject({ commit_id: null });
  });

  test('an endpoint bound to a branch means that branch where none is named', async () => {
    await graph.ok('branches_create', { name: 'review' });
    await create('review', entity('Ada'));
    const bound = new GraphClient(`${graph.url}?branch=review`);
    expect(await bound.ok('snapshot')).toMatchObject({ branch: 'review', types: [{ row_count: 1 }] });
    expect(await bound.ok('branches_create', { name: 'deeper' })).toEqual({ name: 'deeper', from: 'review' });
    expect(await namesOn('deeper')).toEqual(['Ada']);
  });

  describe('branches', () => {
    test('are listed by name, sorted, by a tool and by a resource under both its addresses', async () => {
      await graph.ok('branches_create', { name: 'b/two' });
      expect(await graph.ok('branches_create', { name: 'a', from: 'b/two' })).toEqual({
        ...{ name: 'a', from: 'b/two' },
      });
      const expected = { branches: ['a', 'b/two', 'main'] };
      expect(await graph.ok('branches_list')).toEqual(expected);
      expect(await graph.resource('trellis://branches')).toEqual(expected);
      expect(await graph.resource('omnigraph://branches')).toEqual(expected);
      const { resources } = await graph.with((client) => client.listResources());
      expect(resources.map(({ uri }) => uri)).toEqual(['trellis://schema', 'trellis://branches']);
    });

    test('one whose name is taken, or whose parent is not there, is refused', async () => {
      await graph.ok('branches_create', { name: 'x' });
      expect(await graph.error('branches_create', { name: 'x' })).toEqual([
        expect.stringMatching(/already.*branches_delete/),
      ]);
      expect(await graph.error('branches_create', { name: 'y', from: 'nowhere' })).toEqual([
        expect.stringMatching(/no branch "nowhere".*branches_list/),
      ]);
      expect(await graph.ok('branches_list')).toEqual({ branches: ['main', 'x'] });
    });

    test.each([
      ['a NUL', 'a\0b'],
      ['half a character', 'a\ud800'],
      ['nothing', ''],
      ['too much', 'x'.repeat(4_097)],
      ['a line break', 'a\nb'],
      ['what a terminal obeys', '\u001b[2J'],
      ['white space', ' '],
      ['the way up', 'a/../b'],
    ])('a name of %s is refused', async (_, bad) => {
      await graph.error('branches_create', { name: bad });
      expect(await graph.ok('branches_list')).toEqual({ branches: ['main'] });
    });

    test('named like what every object has are branches like any other', async () => {
      for (const odd of ['__proto__', 'constructor']) await graph.ok('branches_create', { name: odd });
      expect(await graph.ok('branches_list')).toEqual({ branches: ['__proto__', 'constructor', 'main'] });
      expect(await graph.ok('branches_delete', { name: '__proto__' })).toMatchObject({ deleted: true });
    });

    test('main and those others were forked from are not deleted', async () => {
      await graph.ok('branches_create', { name: 'x' });
      await graph.ok('branches_create', { name: 'y', from: 'x' });
      expect(await graph.error('branches_delete', { name: 'main' })).toEqual([
        expect.stringContaining('main cannot be deleted'),
      ]);
      expect(await graph.error('branches_delete', { name: 'x' })).toEqual([
        expect.stringContaining('y was forked'),
      ]);
      expect(await graph.ok('branches_delete', { name: 'y' })).toEqual({ name: 'y', deleted: true });
      expect(await graph.ok('branches_delete', { name: 'x' })).toEqual({ name: 'x', deleted: true });
      expect(await graph.ok('branches_delete', { name: 'x' })).toEqual({ name: 'x', deleted: false });
    });
  });

  describe('branches_merge', () => {
    beforeEach(async () => {
      await create('main', entity('Ada', ['one'], 'person'), entity('Bob', ['two'], 'person'));
      await graph.ok('branches_create', { name: 'review' });
    });

    test('brings what the branch has, once', async () => {
      await create('review', entity('Eve'));
      const merged = await graph.ok('branches_merge', { source: 'review' });
      expect(merged).toEqual({
        ...{ source: 'review', target: 'main', outcome: 'fast_forward', branch_deleted: false },
        ...{ commit_id: expect.stringMatching(ulid), graph_commit_id: merged['commit_id'] },
        commit: expect.objectContaining({ commit_id: merged['commit_id'] }),
      });
      expect(await namesOn()).toEqual(['Ada', 'Bob', 'Eve']);
      expect(await graph.ok('branches_merge', { source: 'review' })).toEqual({
        ...{ source: 'review', target: 'main', outcome: 'already_up_to_date', branch_deleted: false },
      });
    });

    test('merges what both sides changed, and deletes the branch if it is asked to', async () => {
      await create('review', entity('Eve'));
      await observe('main', 'Ada', 'three');
      const merged = await graph.ok('branches_merge', {
        source: 'review',
        target: 'main',
        delete_branch: true,
      });
      expect(merged).toMatchObject({ outcome: 'merged', branch_deleted: true });
      expect(await graph.ok('branches_list')).toEqual({ branches: ['main'] });
      const [newest] = (await graph.ok('commits_list', { limit: 1 }))['commits'] as object[];
      expect(newest).toMatchObject({
        ...{ commit_id: merged['commit_id'], branch: 'main', tool: 'branches_merge' },
        merged_parent_commit_id: expect.stringMatching(ulid),
        counts: { nodes: { created: 1 } },
      });
    });

    test('a branch that could not be deleted afterwards is not merged either', async () => {
      await create('review', entity('Eve'));
      await graph.ok('branches_create', { name: 'child', from: 'review' });
      const refused = async (source: string, target: string, reason: string) =>
        expect(await graph.error('branches_merge', { source, target, delete_branch: true })).toEqual([
          expect.stringContaining(reason),
        ]);
      const before = await graph.ok('commits_list', { branch: 'main' });
      await refused('review', 'main', 'child was forked');
      await refused('main', 'review', 'main cannot be deleted');
      await refused('review', 'review', 'into itself');
      await refused('nowhere', 'main', 'no branch');
      expect(await graph.ok('commits_list', { branch: 'main' })).toEqual(before);
      expect(await graph.ok('branches_list')).toEqual({ branches: ['child', 'main', 'review'] });
    });

    test('dry_run says what would come of it, and changes nothing', async () => {
      await create('review', entity('Eve'));
      const dry = await graph.ok('branches_merge', { source: 'review', dry_run: true, delete_branch: true });
      expect(dry).toEqual({
        ...{ source: 'review', target: 'main', outcome: 'fast_forward', branch_deleted: false },
      });
      expect(await namesOn()).toEqual(['Ada', 'Bob']);
      expect(await graph.ok('branches_list')).toEqual({ branches: ['main', 'review'] });
    });

    describe('with conflicts', () => {
      beforeEach(async () => {
        await memory('review').ok('delete_entities', { entityNames: ['Bob'] });
        await observe('main', 'Bob', 'three');
        await create('review', entity('Eve'));
      });

      test.each([{}, { dry_run: true }])('lists them and changes nothing, %j', async (more) => {
        const [message] = await graph.error('branches_merge', { source: 'review', ...more });
        expect(message).toContain('review cannot be merged into main: there is a conflict.');
        expect(await graph.conflicts({ source: 'review', ...more })).toEqual([
          {
            ...{ kind: 'delete_vs_update', id: 'node/person/Bob' },
            base: expect.objectContaining({ name: 'Bob', observations: [{ ordinal: 1, text: 'two' }] }),
            ours: expect.objectContaining({
              observations: [expect.anything(), { ordinal: 2, text: 'three' }],
            }),
          },
        ]);
        expect(await namesOn()).toEqual(['Ada', 'Bob']);
      });

      test.each([
        ['target', ['Ada', 'Bob', 'Eve']],
        ['source', ['Ada', 'Eve']],
      ] as const)('are decided by resolutions that take the %s, and do not come back', async (take, left) => {
        const resolutions = [{ id: 'node/person/Bob', take }];
        expect(await graph.ok('branches_merge', { source: 'review', resolutions })).toMatchObject({
          outcome: 'merged',
        });
        expect(await namesOn()).toEqual(left);
        expect(await graph.ok('branches_merge', { source: 'review' })).toMatchObject({
          outcome: 'already_up_to_date',
        });
      });

      test('a resolution that decides nothing is refused', async () => {
        const resolutions = [{ id: 'node/person/Ada', take: 'source' }];
        expect(await graph.error('branches_merge', { source: 'review', resolutions })).toEqual([
          expect.stringContaining('No conflict matches node/person/Ada'),
        ]);
        await graph.error('branches_merge', { source: 'review', resolutions: [{ id: 'x', take: 'mine' }] });
        expect(await namesOn()).toEqual(['Ada', 'Bob']);
      });
    });

    test.each([
      ['a source that is not there', { source: 'nowhere' }],
      ['a target that is not there', { source: 'review', target: 'nowhere' }],
      ['no source', {}],
    ])('%s is refused', async (_, args) => {
      await graph.error('branches_merge', args);
    });

    test('a source that could not be deleted is not merged either', async () => {
      await create('review', entity('Eve'));
      await graph.ok('branches_create', { name: 'child', from: 'review' });
      const [message] = await graph.error('branches_merge', { source: 'review', delete_branch: true });
      expect(message).toContain('child was forked from it');
      await graph.error('branches_merge', { source: 'main', target: 'review', delete_branch: true });
      await graph.error('branches_merge', { source: 'review', target: 'review', delete_branch: true });
      expect(await namesOn()).toEqual(['Ada', 'Bob']);
      expect(await graph.ok('branches_list')).toEqual({ branches: ['child', 'main', 'review'] });
    });

    test('tells clients that listen to the target', async () => {
      await create('review', entity('Eve'));
      const heard = await memory().with(async (client) => {
        const changed = new Promise<string>((resolve) => {
          client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
            resolve(params.uri),
          );
        });
        const listening = await client.listen({ resourceSubscriptions: ['memory://knowledge-graph'] });
        await graph.ok('branches_merge', { source: 'review' });
        const uri = await changed;
        await listening.close();
        return uri;
      });
      expect(heard).toBe('memory://knowledge-graph');
    });
  });

  describe('commits', () => {
    test('are listed newest first, a page at a time, with who made them by which tool', async () => {
      for (const one of ['a', 'b', 'c']) await create('main', entity(one));
      const first = await graph.ok('commits_list', { limit: 2 });
      expect(first['commits']).toHaveLength(2);
      const second = await graph.ok('commits_list', { limit: 2, cursor: first['nextCursor'] });
      expect(second).not.toHaveProperty('nextCursor');
      const all = [...(first['commits'] as object[]), ...(second['commits'] as object[])];
      expect((await graph.ok('commits_list'))['commits']).toEqual(all);
      expect(all).toHaveLength(3);
      expect(all[2]).toEqual({
        ...{ commit_id: expect.stringMatching(ulid), graph_commit_id: expect.stringMatching(ulid) },
        ...{ seq: expect.any(Number), branch: 'main' },
        client: 'test/0',
        ...{ parent_commit_id: null, merged_parent_commit_id: null, tool: 'create_entities' },
        ...{ actor_id: expect.any(String), created_at: expect.stringMatching(/^\d{4}-.*Z$/) },
        counts: {
          nodes: { created: 1, updated: 0, deleted: 0 },
          observations: { created: 0, updated: 0, deleted: 0 },
          edges: { created: 0, updated: 0, deleted: 0 },
        },
      });
    });

    test('a cursor that nobody gave out, and a limit beyond the bounds, are refused', async () => {
      for (const args of [{ cursor: 'xyz' }, { limit: 0 }, { limit: 10_001 }, { limit: 1.5 }])
        await graph.error('commits_list', args);
    });

    test('one is shown with what it added, changed and removed', async () => {
      await create('main', entity('Ada', ['one', 'two'], 'person'), entity('Bob'));
      await memory().ok('create_relations', {
        relations: [{ from: 'Ada', to: 'Bob', relationType: 'knows' }],
      });
      await observe('main', 'Ada', 'three');
      await memory().ok('delete_entities', { entityNames: ['Bob'] });
      const commits = (await graph.ok('commits_list'))['commits'] as { commit_id: string }[];
      const changes = await Promise.all(
        commits.map(async ({ commit_id }) => (await graph.ok('commits_get', { commit_id }))['changes']),
      );
      expect(changes).toEqual([
        {
          nodes: [{ change: 'removed', type: 'thing', name: 'Bob', observations: [] }],
          edges: [{ change: 'removed', from: 'Ada', type: 'knows', to: 'Bob', weight: 1 }],
        },
        {
          nodes: [
            {
              ...{ change: 'changed', type: 'person', name: 'Ada' },
              properties: { 'observations.3': { after: 'three' } },
            },
          ],
          edges: [],
        },
        { nodes: [], edges: [{ change: 'added', from: 'Ada', type: 'knows', to: 'Bob', weight: 1 }] },
        {
          nodes: [
            {
              ...{ change: 'added', type: 'person', name: 'Ada' },
              observations: [
                { ordinal: 1, text: 'one' },
                { ordinal: 2, text: 'two' },
              ],
            },
            { change: 'added', type: 'thing', name: 'Bob', observations: [] },
          ],
          edges: [],
        },
      ]);
    });

    test('one that is not there, or was collected, says so', async () => {
      expect(await graph.error('commits_get', { commit_id: 'x' })).toEqual([
        expect.stringContaining('The graph has no commit "x".'),
      ]);
      for (const one of ['a', 'b', 'c']) await create('main', entity(one));
      await memory('main').ok('delete_entities', { entityNames: ['a'] });
      for (const one of ['d', 'e']) await create('main', entity(one));
      await scratch.store.collect(name, { before: Number.MAX_SAFE_INTEGER });
      const commits = (await graph.ok('commits_list'))['commits'] as { commit_id: string }[];
      expect(commits.at(-1)).toMatchObject({ collected: true });
      expect(await graph.error('commits_get', { commit_id: commits.at(-1)?.commit_id })).toEqual([
        expect.stringContaining('can no longer be read'),
      ]);
    });
  });
});

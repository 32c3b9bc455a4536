import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { PeopleServer } from './people-server.js';

interface Edited {
  readonly commit: { readonly commit_id: string } | null;
  readonly changes: { readonly nodes: readonly unknown[]; readonly edges: readonly unknown[] };
}

const schema = `
node Person { email: String @key  age: I32? }
node Team { name: String @key }
edge Leads: Person -> Team @card(0..1)
`;

interface Blamed {
  readonly node: { readonly observations: readonly { readonly blame: object }[]; readonly blame: object };
}

describe.each(databaseKinds)('edits on $kind', (kind) => {
  let server: PeopleServer;
  const branch = 'main';

  beforeAll(async () => {
    server = await PeopleServer.start(kind);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await server.freshGraph();
    await edit(
      { op: 'add_node', name: 'Ada', type: 'person', observations: ['one', 'two'], props: { born: 1815 } },
      { op: 'add_node', name: 'Engine', type: 'machine', summary: 'cogs', tags: ['brass', 'brass'] },
      { op: 'add_edge', from: 'Ada', to: 'Engine', type: 'programs', weight: 0.5, props: { since: 1842 } },
    );
  });

  const edit = (...operations: object[]) => server.ok<Edited>('POST', 'edit', { branch, operations });
  const refused = async (...operations: object[]) => {
    const before = await exported();
    const answer = await server.ask('boss', 'POST', 'edit', { branch, operations });
    expect(await exported()).toEqual(before);
    return answer;
  };
  const exported = async () => {
    const { store } = server.scratch;
    return store.read({ graph: server.graph, branch }, async (reader) => {
      const nodes = (await reader.nodes()).map(({ id, name, type, props, tags, summary }) => ({
        ...{ id, name, type, props, tags, summary },
      }));
      const edges = (await reader.edges()).map(({ fromName, type, toName, key, weight, props }) => ({
        ...{ fromName, type, toName, key, weight, props },
      }));
      const texts = (await reader.observations()).map(({ node, ordinal, text }) => [node, ordinal, text]);
      return { nodes, edges, texts };
    });
  };
  const lastTouch = async (name: string) => {
    const { store } = server.scratch;
    return store.read({ graph: server.graph, branch }, async (reader) => {
      const [node] = await reader.nodesNamed([name]);
      return (await reader.lastTouched([node?.id ?? 0])).get(node?.id ?? 0)?.commit;
    });
  };

  test('several operations are one commit, with a message', async () => {
    const commits = async () => server.scratch.store.countCommits({ graph: server.graph, branch });
    const before = await commits();
    const done = await server.ok<Edited>('POST', 'edit', {
      ...{ branch, message: 'Ada was wrong' },
      operations: [
        { op: 'replace_observation', name: 'Ada', ordinal: 2, text: 'zwei' },
        { op: 'delete_observations', name: 'Ada', ordinals: [1] },
        { op: 'add_observations', name: 'Ada', texts: ['three'] },
        { op: 'update_node', name: 'Engine', set: { summary: null, tags: ['steel'] } },
        { op: 'delete_edge', from: 'Ada', to: 'Engine', type: 'programs' },
        { op: 'add_edge', from: 'Engine', to: 'Ada', type: 'puzzles', key: 'k' },
      ],
    });
    expect(await commits()).toBe(before + 1);
    expect(done.commit).toMatchObject({
      tool: 'edit',
      actor_id: 'boss',
      message: 'Ada was wrong',
      branch,
    });
    expect(done.changes.nodes).toHaveLength(2);
    expect(done.changes.edges).toHaveLength(2);
    const { nodes, edges, texts } = await exported();
    expect(texts.map(([, ordinal, text]) => [ordinal, text])).toEqual([
      [2, 'zwei'],
      [3, 'three'],
    ]);
    expect(nodes[1]).toMatchObject({ summary: null, tags: ['steel'] });
    expect(edges).toMatchObject([{ fromName: 'Engine', toName: 'Ada', type: 'puzzles', key: 'k' }]);
  });

  test('properties are patched, and null removes one', async () => {
    await edit({
      op: 'update_node',
      name: 'Ada',
      set: { props: { born: null, title: 'Countess', deep: { a: [1] } } },
    });
    const { nodes } = await exported();
    expect(nodes[0]?.props).toEqual({ title: 'Countess', deep: { a: [1] } });
    const done = await edit({ op: 'update_node', name: 'Ada', set: { props: { title: 'Countess' } } });
    expect(done).toEqual({ commit: null, changes: { nodes: [], edges: [] } });
  });

  test('a renamed node keeps its observations and edges, and is found by its new name', async () => {
    await edit({ op: 'update_node', name: 'Ada', set: { name: 'Ada/Lovelace', type: 'human' } });
    const { nodes, edges, texts } = await exported();
    expect(nodes.map(({ name, type }) => [name, type])).toEqual([
      ['Ada/Lovelace', 'human'],
      ['Engine', 'machine'],
    ]);
    expect(edges).toMatchObject([{ fromName: 'Ada/Lovelace', toName: 'Engine', weight: 0.5 }]);
    expect(texts.map(([, ordinal]) => ordinal)).toEqual([1, 2]);
    const found = async (q: string) =>
      (await server.ok<{ hits: { name: string }[] }>('GET', `search?mode=text&q=${q}&branch=${branch}`)).hits;
    expect(await found('Lovelace')).toMatchObject([{ name: 'Ada/Lovelace' }]);
    await edit({ op: 'update_node', name: 'Ada/Lovelace', set: { name: 'Ada' } });
    expect((await exported()).nodes[0]).toMatchObject({ name: 'Ada', type: 'human' });
  });

  test('a name that another, deleted node had is taken over with observations and edges', async () => {
    await edit({ op: 'add_node', name: 'Old', type: 'person' });
    await edit({ op: 'delete_node', name: 'Old' });
    await edit({ op: 'update_node', name: 'Ada', set: { name: 'Old' } });
    const { nodes, edges, texts } = await exported();
    expect(nodes.map(({ name }) => name)).toContain('Old');
    expect(edges).toMatchObject([{ fromName: 'Old', toName: 'Engine', props: { since: 1842 } }]);
    expect(texts.map(([, , text]) => text)).toEqual(['one', 'two']);
  });

  test('a rename changes nothing about who wrote what', async () => {
    const before = await server.ok<Blamed>('GET', 'nodes/Ada?blame=true');
    await edit({ op: 'update_node', name: 'Ada', set: { name: 'Augusta' } });
    const after = await server.ok<Blamed>('GET', 'nodes/Augusta?blame=true');
    expect(after.node.observations).not.toEqual([]);
    expect(after.node.observations).toEqual(before.node.observations);
    expect(after.node.blame).toEqual(before.node.blame);
    await edit({ op: 'update_node', name: 'Augusta', set: { name: 'Ada' } });
  });

  test('undoing a rename gives the old name back', async () => {
    const { commit } = await edit({ op: 'update_node', name: 'Ada', set: { name: 'Augusta' } });
    const before = await exported();
    await server.mcp('').ok('undo', { branch, commit_ids: [commit?.commit_id] });
    const { nodes } = await exported();
    expect(before.nodes.map(({ name }) => name)).toContain('Augusta');
    expect(nodes.map(({ name }) => name)).toContain('Ada');
  });

  test('a deleted node goes with its edges', async () => {
    await edit({ op: 'delete_node', name: 'Ada', type: 'person' });
    expect(await exported()).toMatchObject({ nodes: [{ name: 'Engine' }], edges: [], texts: [] });
  });

  describe('if_commit', () => {
    test('lets a write through if nobody changed the node since', async () => {
      const if_commit = await lastTouch('Ada');
      // Another node is another matter.
      await edit({ op: 'update_node', name: 'Engine', set: { summary: 'more cogs' } });
      await edit(
        { op: 'replace_observation', name: 'Ada', ordinal: 1, text: 'eins', if_commit },
        { op: 'update_node', name: 'Ada', set: { tags: ['a'] }, if_commit },
      );
    });

    test.each([
      { op: 'update_node', set: { summary: 'mine' } },
      { op: 'replace_observation', ordinal: 1, text: 'mine' },
      { op: 'delete_observations', ordinals: [1] },
      { op: 'delete_node' },
    ])('$op is refused if somebody else was faster, and says who', async (operation) => {
      const if_commit = await lastTouch('Ada');
      const first = { op: 'add_observations', name: 'Ada', texts: ['theirs'] };
      const { body } = await server.ask('writer', 'POST', 'edit', { branch, operations: [first] });
      expect(body).toEqual({});
      const answer = await refused(
        { op: 'add_node', name: 'Along', type: 'person' },
        { ...operation, name: 'Ada', if_commit },
      );
      expect(answer).toMatchObject({
        status: 409,
        body: {
          error: {
            ...{ code: 'CHANGED_SINCE', message: expect.stringContaining('writer') },
            changed_by: { commit_id: await lastTouch('Ada'), actor_id: 'writer' },
          },
        },
      });
      const blind = { branch, operations: [{ ...operation, name: 'Ada', if_commit }] };
      const told = await server.ask('writer', 'POST', 'edit', blind);
      expect([told.status, JSON.stringify(told.body)]).toEqual([409, expect.not.stringContaining('boss')]);
      expect(told.body).not.toHaveProperty('error.changed_by');
    });

    test('a node that is gone was changed, too', async () => {
      const if_commit = await lastTouch('Ada');
      await edit({ op: 'delete_node', name: 'Ada' });
      expect(await refused({ op: 'delete_node', name: 'Ada', if_commit })).toMatchObject({
        ...{ status: 409, body: { error: { code: 'CHANGED_SINCE' } } },
      });
    });

    test('of two that hurry, one wins', async () => {
      const if_commit = await lastTouch('Ada');
      const answers = await Promise.all(
        ['a', 'b', 'c', 'd'].map((summary) => {
          const operation = { op: 'update_node', name: 'Ada', set: { summary }, if_commit };
          return server.ask('boss', 'POST', 'edit', { branch, operations: [operation] });
        }),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    });
  });

  test.each([
    ['an unknown node', { op: 'delete_node', name: 'Nobody' }, 404, 'NOT_FOUND'],
    ['a wrong type', { op: 'delete_node', name: 'Ada', type: 'machine' }, 404, 'NOT_FOUND'],
    [
      'an unknown ordinal',
      { op: 'replace_observation', name: 'Ada', ordinal: 9, text: 'x' },
      404,
      'NOT_FOUND',
    ],
    ['unknown ordinals', { op: 'delete_observations', name: 'Ada', ordinals: [1, 9] }, 404, 'NOT_FOUND'],
    ['an unknown edge', { op: 'delete_edge', from: 'Ada', to: 'Engine', type: 'eats' }, 404, 'NOT_FOUND'],
    ['an unknown end', { op: 'add_edge', from: 'Ada', to: 'Nobody', type: 'eats' }, 404, 'NOT_FOUND'],
    ['a node that exists', { op: 'add_node', name: 'Ada', type: 'person' }, 409, 'NODE_EXISTS'],
    [
      'a name that exists',
      { op: 'update_node', name: 'Engine', set: { name: 'Ada', type: 'person' } },
      409,
      'NODE_EXISTS',
    ],
    [
      'an edge that exists',
      { op: 'add_edge', from: 'Ada', to: 'Engine', type: 'programs' },
      409,
      'EDGE_EXISTS',
    ],
    ['an empty name', { op: 'add_node', name: '', type: 'person' }, 400, 'INVALID_ARGUMENT'],
    ['a blank text', { op: 'add_observations', name: 'Ada', texts: [' '] }, 400, 'INVALID_ARGUMENT'],
    [
      'a NUL character',
      { op: 'update_node', name: 'Ada', set: { summary: 'a\0b' } },
      400,
      'INVALID_ARGUMENT',
    ],
    [
      'half a character',
      { op: 'update_node', name: 'Ada', set: { props: { a: '\ud800' } } },
      400,
      'INVALID_ARGUMENT',
    ],
    ['an unknown operation', { op: 'explode', name: 'Ada' }, 400, 'INVALID_ARGUMENT'],
    ['an unknown argument', { op: 'delete_node', name: 'Ada', force: true }, 400, 'INVALID_ARGUMENT'],
    [
      'a weight out of bounds',
      { op: 'add_edge', from: 'Ada', to: 'Engine', type: 'x', weight: 2 },
      400,
      'INVALID_ARGUMENT',
    ],
    [
      'a prototype',
      { op: 'update_node', name: 'Ada', set: { props: JSON.parse('{"__proto__": 1}') } },
      400,
      'INVALID_ARGUMENT',
    ],
  ] as const)('%s refuses the whole edit', async (_, operation, status, code) => {
    const good = { op: 'update_node', name: 'Ada', set: { summary: 'changed' } };
    expect(await refused(good, operation)).toMatchObject({ status, body: { error: { code } } });
  });

  test.each(['a/b', '50%', '%2F', '👩‍🚀', 'x'.repeat(2_500), '<img onerror=alert(1)>', '\u202eevil', '   .'])(
    'any name works: %s',
    async (name) => {
      await edit(
        { op: 'add_node', name, type: name, observations: [name], props: { [name]: name }, tags: [name] },
        { op: 'add_edge', from: name, to: 'Ada', type: name, key: name },
      );
      await edit({ op: 'update_node', name, type: name, set: { summary: name } });
      const { nodes } = await exported();
      expect(nodes.at(-1)).toMatchObject({ name, type: name, summary: name, props: { [name]: name } });
      await edit({ op: 'delete_edge', from: name, to: 'Ada', type: name, key: name });
      await edit({ op: 'delete_node', name });
    },
  );

  test('namesakes are told apart by their types', async () => {
    await edit({ op: 'add_node', name: 'Ada', type: 'language', observations: ['typed'] });
    expect(await refused({ op: 'delete_node', name: 'Ada' })).toMatchObject({
      ...{ status: 409, body: { error: { code: 'AMBIGUOUS_NAME' } } },
    });
    await edit(
      { op: 'add_edge', from: 'Engine', to: 'Ada', to_type: 'language', type: 'runs' },
      { op: 'delete_observations', name: 'Ada', type: 'person', ordinals: [1] },
    );
    expect((await exported()).texts.map(([, , text]) => text)).toEqual(['two', 'typed']);
  });

  test('the gate registry cannot be edited', async () => {
    const props = { allowed: true };
    expect(await refused({ op: 'add_node', name: 'Person', type: 'Schema', props })).toMatchObject({
      ...{ status: 403, body: { error: { code: 'FORBIDDEN' } } },
    });
  });

  test('needs change on the branch', async () => {
    const operations = [{ op: 'add_observations', name: 'Ada', texts: ['x'] }];
    expect(await server.ask('reader', 'POST', 'edit', { branch: 'main', operations })).toMatchObject({
      status: 403,
    });
    expect((await server.ask('nobody', 'POST', 'edit', { branch, operations })).status).toBe(404);
    expect(await server.ask('writer', 'POST', 'edit', { branch, operations })).toEqual({
      status: 200,
      body: {},
    });
  });
});

describe.each(databaseKinds)('edits of a typed graph on $kind', (kind) => {
  let server: PeopleServer;

  beforeAll(async () => {
    server = await PeopleServer.start(kind);
    await server.mcp('').ok('schema_apply', { schema });
  });
  afterAll(() => server.close());

  test('are checked against the schema', async () => {
    const edit = (...operations: object[]) => server.ask('boss', 'POST', 'edit', { operations });
    expect(
      await edit(
        { op: 'add_node', name: 'ann@x', type: 'Person', props: { age: 30 } },
        { op: 'add_node', name: 'core', type: 'Team' },
        { op: 'add_edge', from: 'ann@x', to: 'core', type: 'Leads' },
      ),
    ).toMatchObject({
      status: 200,
      body: { changes: { nodes: [{ props: { email: 'ann@x', age: 30 } }, {}] } },
    });
    for (const operation of [
      { op: 'add_node', name: 'bob', type: 'Robot' },
      { op: 'update_node', name: 'ann@x', set: { props: { age: 'old' } } },
      { op: 'update_node', name: 'ann@x', set: { props: { unknown: 1 } } },
      { op: 'update_node', name: 'ann@x', set: { name: 'eve@x' } },
      { op: 'add_edge', from: 'core', to: 'ann@x', type: 'Leads' },
    ])
      expect(await edit(operation)).toMatchObject({
        status: 422,
        body: { error: { code: 'SCHEMA_VIOLATION' } },
      });
    expect(await edit({ op: 'update_node', name: 'ann@x', set: { props: { age: null } } })).toMatchObject({
      status: 200,
    });
  });
});

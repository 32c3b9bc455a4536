import { beforeEach, describe, expect, test } from 'vitest';
import { GraphClient } from '../graph/graph-client.js';
import { serveGraphs } from '../graph/graph-server.js';
import { entity } from '../helpers/memory-tools.js';
import { databaseKinds } from '../helpers/stores.js';

const schema = `node Person { email: String @key  age: I32? }
node City { name: String @key }
edge LivesIn: Person -> City @card(0..1)
`;

describe.each(databaseKinds)('schema and ingest on the graph surface of $kind', (kind) => {
  const served = serveGraphs(kind);
  let at = '';
  let tools: GraphClient;
  beforeEach(() => {
    ({ at, tools } = served);
  });

  const on = (surface: string) => new GraphClient(`${at}/${surface}/mcp`);
  const ask = async (method: string, path: string, body?: string | object) => {
    const isText = typeof body === 'string';
    const response = await fetch(`${at}/${path}`, {
      method,
      headers: { 'Content-Type': isText ? 'application/x-ndjson' : 'application/json' },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };
  const ada = '{"type":"Person","data":{"email":"ada","age":36}}';
  const london = '{"type":"City","data":{"name":"London"}}';
  const lives = '{"edge":"LivesIn","from":"ada","to":"London","data":{}}';

  test('a schema is applied, shown by tool, resource and route, and read as of a commit', async () => {
    expect(await tools.ok('schema_get')).toEqual({ schema_source: '' });
    const planned = await tools.ok('schema_apply', { schema, dry_run: true });
    expect(planned).toMatchObject({ supported: true, applied: false });
    const applied = await tools.ok('schema_apply', { schema_source: schema });
    expect(applied).toMatchObject({ supported: true, applied: true, commit_id: expect.any(String) });
    expect(applied['steps']).toEqual(planned['steps']);
    expect(await tools.ok('schema_get', { branch: 'main' })).toEqual({ schema_source: schema });
    expect(await ask('GET', 'schema')).toEqual({ status: 200, body: { schema_source: schema } });
    for (const uri of ['trellis://schema', 'omnigraph://schema']) {
      const { contents } = await tools.with((client) => client.readResource({ uri }));
      expect(contents).toMatchObject([{ text: schema }]);
    }
    const listed = await tools.with((client) => client.listResources());
    expect(listed.resources.map(({ uri }) => uri)).not.toContain('omnigraph://schema');
    await ask('POST', 'schema/apply', { schema: `${schema}node Extra {}` });
    const snapshot = applied['commit_id'];
    expect(await tools.ok('schema_get', { snapshot })).toEqual({ schema_source: schema });
    const [both] = await tools.error('schema_get', { snapshot, branch: 'main' });
    expect(both).toContain('not both');
    const [none] = await tools.error('schema_apply');
    expect(none).toContain('neither schema nor schema_source');
  });

  test('commits tell that the schema changed, and how', async () => {
    await tools.ok('schema_apply', { schema });
    await tools.ok('ingest', { ndjson: ada });
    const wider = schema.replace('age: I32?', 'age: I64?  nick: String?');
    const { commit_id } = await tools.ok('schema_apply', { schema: wider });
    const { commits } = await tools.ok('commits_list');
    expect(commits).toEqual([
      expect.objectContaining({ commit_id, schema_changed: true }),
      expect.not.objectContaining({ schema_changed: true }),
      expect.objectContaining({ schema_changed: true }),
    ]);
    const expected = {
      ...{ commit_id, schema_changed: true },
      changes: {
        schema: {
          change: 'changed',
          steps: [
            {
              ...{ step: 'add_property', kind: 'node', type: 'Person', property: 'nick' },
              message: 'Person.nick: String? is added.',
            },
            {
              ...{ step: 'update_metadata', kind: 'node', type: 'Person', property: 'age' },
              message: 'Person.age becomes I64? instead of I32?.',
            },
          ],
        },
        ...{ nodes: [], edges: [] },
      },
    };
    expect(await tools.ok('commits_get', { commit_id })).toMatchObject(expected);
    expect((await ask('GET', `commits/${commit_id}`)).body).toMatchObject(expected);
  });

  test('what the embedder cannot fill is told when the schema is applied, and what it can is filled', async () => {
    const vector = (size: number) =>
      `node Recipe { slug: String @key  note: String?  taste: Vector(${size})? @embed("note") }`;
    const planned = await tools.ok('schema_apply', { schema: vector(300), dry_run: true });
    expect(planned['warnings']).toEqual([
      expect.stringContaining('Recipe.taste stays empty: it is a Vector(300)'),
    ]);
    expect(await tools.ok('schema_apply', { schema: vector(100) })).not.toHaveProperty('warnings');
    await on('memory').ok('create_entities', {
      entities: [{ name: 'soup', entityType: 'Recipe', observations: [] }],
    });
    await ask('POST', 'ingest', '{"type":"Recipe","data":{"slug":"soup","note":"hot beans"}}');
    await ask('POST', 'branches', { name: 'trial' });
    await ask(
      'POST',
      'ingest?branch=trial',
      '{"type":"Recipe","data":{"slug":"cake","note":"a sweet cake with chocolate"}}',
    );
    const nearest = async (branch: string) => {
      const source =
        'query q() { match { $r: Recipe $r.taste is not null } return { $r.slug } order { nearest($r.taste, "dessert") } limit 9 }';
      const { rows } = await tools.ok('query', { source, branch });
      return rows;
    };
    await expect.poll(() => nearest('main')).toEqual([{ 'r.slug': 'soup' }]);
    await expect.poll(() => nearest('trial')).toEqual([{ 'r.slug': 'cake' }, { 'r.slug': 'soup' }]);
  });

  test('an error of the schema language tells line, column and what was meant', async () => {
    const [text] = await tools.error('schema_apply', { schema: 'node A {\n  n: Strin\n}' });
    expect(text).toMatch(/2:6|line 2, column 6/);
    expect(text).toContain('String');
    expect(await ask('POST', 'schema/apply', { schema: 'node' })).toMatchObject({
      status: 400,
      body: { error: { code: 'SCHEMA_INVALID' } },
    });
  });

  test('losing data and unfit rows are refused over REST with their steps and rows', async () => {
    await tools.ok('schema_apply', { schema });
    await tools.ok('ingest', { ndjson: ada });
    expect(await ask('POST', 'schema/apply', { schema: 'node City { name: String @key }' })).toMatchObject({
      status: 409,
      body: { error: { code: 'SCHEMA_DATA_LOSS', steps: [{ step: 'drop_type' }] } },
    });
    const tighter = schema.replace('age: I32?', 'age: I32?  @range(age, ..20)');
    expect(await ask('POST', 'schema/apply', { schema: tighter })).toMatchObject({
      status: 422,
      body: { error: { code: 'SCHEMA_VIOLATION', problems: [{ path: 'Person/ada.age' }] } },
    });
  });

  test('trust 28: a schema that cannot be applied is an error, and a dry run says why', async () => {
    await tools.ok('schema_apply', { schema });
    await tools.ok('ingest', { ndjson: ada });
    const impossible = schema.replace('age: I32?', 'age: I32?  role: String');
    const reason = 'Person.role: String is added. This is not supported: it is required';
    const [text] = await tools.error('schema_apply', { schema: impossible });
    expect(text).toContain(reason);
    expect(text).toContain('Nothing was applied.');
    expect(await tools.ok('schema_apply', { schema: impossible, dry_run: true })).toMatchObject({
      ...{ supported: false, applied: false, steps: [{ message: expect.stringContaining(reason) }] },
    });
    expect(await ask('POST', 'schema/apply', { schema: impossible })).toMatchObject({
      status: 409,
      body: { error: { code: 'SCHEMA_UNSUPPORTED', steps: [{ step: 'unsupported_change' }] } },
    });
    expect(await tools.ok('schema_get')).toEqual({ schema_source: schema });
    expect(await tools.ok('schema_apply', { schema })).toEqual({
      supported: true,
      applied: false,
      steps: [],
    });
  });

  test('lines are ingested by tool, as JSON and as a body; exported, they are the same lines', async () => {
    await tools.ok('schema_apply', { schema });
    expect(await tools.ok('ingest', { ndjson: [lives, ada, london].join('\n') })).toEqual({
      branch: 'main',
      branch_created: false,
      mode: 'merge',
      nodes: [
        { name: 'City', loaded: 1 },
        { name: 'Person', loaded: 1 },
      ],
      edges: [{ name: 'LivesIn', loaded: 1 }],
      commit_id: expect.any(String),
      graph_commit_id: expect.any(String),
      commit: expect.objectContaining({ commit_id: expect.any(String) }),
    });
    const exported = `${[ada, london, lives].join('\n')}\n`;
    expect(await ask('GET', 'export')).toEqual({ status: 200, body: exported });
    expect(await ask('POST', 'ingest?mode=merge', exported)).toMatchObject({
      ...{ status: 200, body: { commit_id: null, mode: 'merge' } },
    });
    expect(await ask('POST', 'ingest', { data: exported })).toMatchObject({ status: 200 });
    expect(await ask('POST', 'ingest?mode=append', exported)).toMatchObject({
      status: 409,
      body: { error: { code: 'NODE_EXISTS', line: 1 } },
    });
    expect(await ask('POST', 'ingest?mode=wrong', exported)).toMatchObject({ status: 400 });
    expect(await ask('POST', 'ingest', '{"type":"Person","data":{"email":"x","age":"y"}}')).toMatchObject({
      status: 422,
      body: { error: { problems: [{ line: 1, path: 'Person/x.age' }] } },
    });
  });

  test('a missing branch is made from another if that is said, and not if the lines are refused', async () => {
    await tools.ok('schema_apply', { schema });
    const [text] = await tools.error('ingest', { ndjson: ada, branch: 'new' });
    expect(text).toContain('There is no branch named "new"');
    await tools.error('ingest', { ndjson: '{', branch: 'new', from: 'main' });
    expect(await tools.ok('branches_list')).toEqual({ branches: ['main'] });
    expect(await tools.ok('ingest', { ndjson: ada, branch: 'new', from: 'main' })).toMatchObject({
      ...{ branch: 'new', branch_created: true },
    });
    expect(await tools.ok('ingest', { ndjson: london, branch: 'new', from: 'main' })).toMatchObject({
      branch_created: false,
    });
    expect(await ask('GET', 'export?branch=new')).toEqual({ status: 200, body: `${ada}\n${london}\n` });
    expect(await ask('GET', 'export')).toEqual({ status: 200, body: '' });
    const { body } = await ask('GET', 'commits?branch=new');
    const first = body.commits.find(({ tool }: { tool: string }) => tool === 'ingest');
    expect(await ask('GET', `export?snapshot=${first.parent_commit_id}`)).toMatchObject({ status: 200 });
    expect(await ask('GET', 'export?snapshot=x&branch=new')).toMatchObject({ status: 400 });
    expect(await ask('GET', 'export?branch=nope')).toMatchObject({ status: 404 });
  });

  test('a body beyond the usual bound is ingested', async () => {
    const line = (n: number) => `{"type":"note","data":{"name":"${n}","text":"${'x'.repeat(100_000)}"}}`;
    const lines = Array.from({ length: 100 }, (_, n) => line(n)).join('\n');
    expect(lines.length).toBeGreaterThan(8_388_608);
    expect(await ask('POST', 'ingest', lines)).toMatchObject({
      ...{ status: 200, body: { nodes: [{ name: 'note', loaded: 100 }] } },
    });
  });

  describe('every other surface is held to the schema:', () => {
    beforeEach(async () => {
      await tools.ok('schema_apply', { schema });
      await tools.ok('ingest', { ndjson: `${ada}\n${london}` });
    });
    const unknownType = 'The schema has no node "thing"';

    test('memory', async () => {
      const memory = on('memory');
      const [text] = await memory.error('create_entities', {
        entities: [{ ...entity('x'), entityType: 'thing' }],
      });
      expect(text).toContain(unknownType);
      await memory.ok('create_entities', { entities: [{ ...entity('bob'), entityType: 'Person' }] });
      await memory.ok('add_observations', {
        observations: [{ entityName: 'bob', contents: ['likes tea'] }],
      });
      const relation = { from: 'bob', to: 'nobody', relationType: 'LivesIn' };
      const [missing] = await memory.error('create_relations', { relations: [relation] });
      expect(missing).toContain('There is no node named "nobody"');
      await memory.ok('create_relations', { relations: [{ ...relation, to: 'London' }] });
      const [several] = await memory.error('create_entities', {
        entities: ['x', 'y'].map((name) => ({ ...entity(name), entityType: 'thing' })),
      });
      expect(several).toMatch(/thing\/x: .*\n- thing\/y: /);
    });

    test('mesh', async () => {
      const mesh = on('mesh');
      const failed = await mesh.with((client) =>
        client.callTool({
          name: 'add_nodes',
          arguments: { nodes: [{ name: 'x', nodeType: 'thing', metadata: [] }] },
        }),
      );
      expect(JSON.stringify(failed)).toContain('The schema has no node');
      await mesh.ok('add_nodes', { nodes: [{ name: 'eve', nodeType: 'Person', metadata: ['m'] }] });
      // The key cannot go, so it is among what the update answers, as it is among what is read afterwards.
      for (const name of ['eve', 'ada']) {
        const { data } = await mesh.ok('update_nodes', { nodes: [{ name, metadata: ['n'] }] });
        expect(data).toEqual({
          nodes: [{ name, nodeType: 'Person', metadata: ['n', `email: ${name}`] }],
          edges: [],
        });
        expect((await mesh.ok('open_nodes', { names: [name] }))['data']).toEqual(data);
      }
    });

    test('workspace', async () => {
      const workspace = on('workspace');
      const [text] = await workspace.error('create_entities', {
        entities: [{ name: 'x', entity_type: 'thing', observations: [] }],
      });
      expect(text).toContain(unknownType);
      await workspace.ok('set_summary', { name: 'ada', summary: 'a mathematician' });
      await workspace.ok('set_tags', { name: 'ada', tags: ['t'] });
    });
  });
});

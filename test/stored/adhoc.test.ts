import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GraphClient } from '../graph/graph-client.js';
import { databaseKinds } from '../helpers/stores.js';
import { Kitchen } from './kitchen.js';

const slugs = 'query slugs() { match { $r: Recipe } return { $r.slug as slug } order { $r.slug } }';

describe.each(databaseKinds)('queries that are not stored on $kind', (kind) => {
  let kitchen: Kitchen;
  let tools: GraphClient;

  beforeAll(async () => {
    kitchen = await Kitchen.open(kind);
    tools = await kitchen.as();
  });
  afterAll(() => kitchen.close());

  test('query answers its rows, where they were read and at which commit', async () => {
    const { commits } = await tools.ok('commits_list', { limit: 1 });
    const [newest] = commits as { commit_id: string }[];
    expect(await tools.ok('query', { source: slugs })).toEqual({
      query_name: 'slugs',
      target: { branch: 'main', snapshot: null },
      row_count: 2,
      columns: ['slug'],
      rows: [{ slug: 'roast' }, { slug: 'soup' }],
      commit_id: newest?.commit_id,
      graph_commit_id: newest?.commit_id,
    });
  });

  test('parameters are given by name, and one of the wrong type or name is refused with what to do', async () => {
    const source =
      'query of($most: I32) { match { $r: Recipe  $r.minutes <= $most } return { $r.slug as slug } }';
    expect(await tools.ok('query', { source, params: { most: 30 } })).toMatchObject({
      rows: [{ slug: 'soup' }],
    });
    expect((await tools.error('query', { source, params: { most: '30' } })).join()).toContain('most');
    expect((await tools.error('query', { source, params: { mots: 30 } })).join()).toContain('Did you mean');
    expect((await tools.error('query', { source })).join()).toContain('missing');
    const constructed = await tools.error('query', { source, params: { constructor: 1, most: 3 } });
    expect(constructed.join()).toContain('no parameter "constructor"');
    const inherited = JSON.parse('{"__proto__": 1, "most": 30}');
    expect((await tools.error('query', { source, params: inherited })).join()).toContain(
      '__proto__ is not allowed',
    );
    const insert = 'query add() { insert Recipe { slug: "x", level: "easy" } }';
    expect((await tools.error('mutate', { source: insert, params: inherited })).join()).toContain(
      '__proto__ is not allowed',
    );
    expect(await tools.ok('query', { source, params: { most: 1_000 } })).toMatchObject({ row_count: 2 });
  });

  test.each([
    'match { $r: Recipe  fuzzy($r.slug, $s) } return { $r.slug }',
    'match { $r: Recipe  not { search($r.slug, $s) } } return { $r.slug }',
    'match { $r: Recipe } return { $r.slug } order { bm25($r.slug, $s) desc }',
  ])('a text to search for is no longer than that of any search: %s', async (body) => {
    const source = `query q($s: String) { ${body} }`;
    await tools.ok('query', { source, params: { s: 'x '.repeat(1_024) } });
    const [text] = await tools.error('query', { source, params: { s: 'x '.repeat(1_025) } });
    expect(text).toContain('has at most 2048 characters. The parameter s is longer.');
  });

  test('of several queries in a source the name says which', async () => {
    const source = `${slugs}\nquery cooks() { match { $c: Cook } return { $c.email as email } }`;
    expect(await tools.ok('query', { source, name: 'cooks' })).toMatchObject({ rows: [{ email: 'ada@x' }] });
    expect((await tools.error('query', { source })).join()).toContain('slugs, cooks');
    expect((await tools.error('query', { source, name: 'cook' })).join()).toContain('Did you mean "cooks"');
  });

  test('a mistake is told with line, column and what was meant, and nothing runs', async () => {
    const [text] = await tools.error('query', {
      source: 'query q() {\n  match { $r: Recip }\n  return { $r.slug }\n}',
    });
    expect(text).toContain('line 2, column 15');
    expect(text).toContain('Recipe');
  });

  test('a query that writes is for mutate, and one that reads for query', async () => {
    const write = 'query w() { insert Cook { email: "w@x" } }';
    expect((await tools.error('query', { source: write })).join()).toContain('mutate');
    expect((await tools.error('mutate', { source: slugs })).join()).toContain('query');
    expect(
      await tools.ok('query', { source: 'query c() { match { $c: Cook } return { count($c) as n } }' }),
    ).toMatchObject({ rows: [{ n: 1 }] });
  });

  test('source has a second name, query, and only one of them is given', async () => {
    expect(await tools.ok('query', { query: slugs })).toMatchObject({ row_count: 2 });
    expect((await tools.error('query', { query: slugs, source: slugs })).join()).toContain('both are given');
    expect((await tools.error('query')).join()).toContain('neither source nor query');
  });

  test('mutate is one commit on the branch it names, and a snapshot is read as it was', async () => {
    await tools.ok('branches_create', { name: 'draft' });
    const before = await tools.ok('query', { source: slugs, branch: 'draft' });
    const done = await tools.ok('mutate', {
      branch: 'draft',
      source: `query add($slug: String) {
        insert Recipe { slug: $slug, level: "easy" }
        insert Wrote { from: $slug, to: "ada@x" }
      }`,
      params: { slug: 'tart' },
    });
    expect(done).toEqual({
      branch: 'draft',
      query_name: 'add',
      affected_nodes: 1,
      affected_edges: 1,
      actor_id: expect.any(String),
      commit_id: expect.any(String),
      graph_commit_id: done['commit_id'],
      commit: expect.objectContaining({
        commit_id: done['commit_id'],
        parent_commit_id: before['commit_id'],
      }),
    });
    expect(await tools.ok('query', { source: slugs, branch: 'draft' })).toMatchObject({
      row_count: 3,
      commit_id: done['commit_id'],
    });
    expect(await tools.ok('query', { source: slugs })).toMatchObject({ row_count: 2 });
    expect(await tools.ok('query', { source: slugs, snapshot: before['commit_id'] })).toMatchObject({
      row_count: 2,
      target: { branch: null, snapshot: before['commit_id'] },
      commit_id: before['commit_id'],
    });
    const both = await tools.error('query', { source: slugs, branch: 'draft', snapshot: done['commit_id'] });
    expect(both.join()).toContain('not both');
    await tools.ok('branches_delete', { name: 'draft' });
  });

  test('a mutation that fails half-way leaves nothing', async () => {
    const source = `query w() {
      insert Cook { email: "late@x" }
      insert Tried { from: "late@x", to: "no such recipe", stars: 1 }
    }`;
    expect((await tools.error('mutate', { source })).join()).toContain('no such recipe');
    const count = 'query c() { match { $c: Cook } return { count($c) as n } }';
    expect(await tools.ok('query', { source: count })).toMatchObject({ rows: [{ n: 1 }] });
  });

  test('a mutation that changes nothing makes no commit', async () => {
    const source = 'query w() { delete Cook where email = "nobody" }';
    expect(await tools.ok('mutate', { source })).toMatchObject({ affected_nodes: 0, commit_id: null });
  });

  test('explain says how a query would be run, and reads no rows', async () => {
    const answer = await tools.ok('query', { source: slugs, explain: true });
    expect(answer).toMatchObject({ row_count: 0, rows: [] });
    expect((answer['plan'] as string[]).join()).toContain('Recipe');
  });

  test('nearest compares with a text if the embedder makes vectors of that length, and says so if not', async () => {
    const schema =
      'node Note { id: String @key  text: String  near: Vector(100)? @embed("text")  far: Vector(300)? @embed("text") }';
    const at = await kitchen.openGraph('notes');
    await at.ok('schema_apply', { schema });
    const vector = Array.from({ length: 100 }, (_, index) => (index === 0 ? 1 : 0));
    await at.ok('ingest', {
      ndjson: JSON.stringify({ type: 'Note', data: { id: 'n', text: 'sweet', near: vector } }),
    });
    const by = (property: string) =>
      `query q($text: String) { match { $n: Note } return { $n.id as id } order { nearest($n.${property}, $text) } limit 1 }`;
    const params = { text: 'sweet and sour' };
    expect(await at.ok('query', { source: by('near'), params })).toMatchObject({ rows: [{ id: 'n' }] });
    expect((await at.error('query', { source: by('far'), params })).join()).toContain('Vector(300)');
  });

  test('REST has the same under the same names', async () => {
    const queried = await kitchen.rest(undefined, 'POST', 'query', { query: slugs });
    expect(queried).toEqual({ status: 200, body: await tools.ok('query', { source: slugs }) });
    expect(
      await kitchen.rest(undefined, 'POST', 'mutate', {
        source: 'query w() { delete Cook where email = "nobody" }',
      }),
    ).toMatchObject({ status: 200, body: { commit_id: null } });
    expect(await kitchen.rest(undefined, 'POST', 'query', { source: 'query' })).toMatchObject({
      status: 400,
      body: { error: { code: 'QUERY_INVALID', problems: [{ line: 1 }] } },
    });
  });
});

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { asTrellisError, TrellisError } from '../../src/model/error.js';
import { loadStoredQueries } from '../../src/query/stored/load-stored-queries.js';
import { applyGraphSchema } from '../../src/schema/apply/apply-graph-schema.js';
import { databaseKinds, scratchFolder, sqlite } from '../helpers/stores.js';
import { byCook, hidden, Kitchen, menu, quick, schema, storeQueries } from './kitchen.js';

/** How a tool is refused that is hidden, as one that does not exist. */
const unknown = (tool: string) => ({ code: -32602, message: `unknown tool ${JSON.stringify(tool)}` });

let folder: string;
let kitchen: Kitchen | undefined;

beforeEach(async () => {
  folder = await scratchFolder();
});
afterEach(async () => {
  await kitchen?.close();
  kitchen = undefined;
  await rm(folder, { recursive: true });
});

/** What is refused for another reason shows that. */
const refusalOf = async (work: Promise<unknown>): Promise<TrellisError> =>
  work.then(
    () => {
      throw new Error('It was not refused.');
    },
    (error: unknown) => {
      if (error instanceof TrellisError) return error;
      throw error;
    },
  );
const broken = quick.replace('Recipe ', 'Recip ');

describe('reading the registry', () => {
  test('what the file says of itself is taken, and the configuration wins over it', async () => {
    const [one, two] = await storeQueries(folder, { by_cook: byCook, all_slugs: hidden });
    if (one === undefined || two === undefined) throw new Error('Two were stored.');
    const asWritten = await loadStoredQueries([one, two], schema);
    expect(asWritten.all.map(({ toolName, isExposed }) => [toolName, isExposed])).toEqual([
      ['recipes-of', true],
      ['all_slugs', false],
    ]);
    const overruled = await loadStoredQueries(
      [
        { ...one, expose: false },
        { ...two, expose: true, toolName: 'every-slug' },
      ],
      schema,
    );
    expect(overruled.all.map(({ toolName, isExposed }) => [toolName, isExposed])).toEqual([
      ['recipes-of', false],
      ['every-slug', true],
    ]);
  });

  test('a file may hold several queries, of which those count that the configuration names', async () => {
    const [one] = await storeQueries(folder, { quick: `${quick}${hidden}` });
    if (one === undefined) throw new Error('One was stored.');
    expect((await loadStoredQueries([one], schema)).all.map(({ name }) => name)).toEqual(['quick']);
    const both = await loadStoredQueries([one, { ...one, name: 'all_slugs' }], schema);
    expect(both.all.map(({ name }) => name)).toEqual(['quick', 'all_slugs']);
  });

  test('a query that does not fit the schema is refused with file, line and what was meant', async () => {
    const error = await refusalOf(loadStoredQueries(await storeQueries(folder, { quick: broken }), schema));
    expect(error.code).toBe('STORED_QUERY_INVALID');
    expect(error.message).toContain(`${join(folder, 'quick.gq')}:5:15: `);
    expect(error.message).toContain('Did you mean "Recipe"?');
  });

  test('the key in the configuration is the name of the query', async () => {
    const error = await refusalOf(loadStoredQueries(await storeQueries(folder, { quik: quick }), schema));
    expect(error).toMatchObject({ code: 'STORED_QUERY_INVALID' });
    expect(error.message).toContain('trellis.yaml:1');
    expect(error.message).toContain('Did you mean "quick"?');
  });

  test('a file that is not there is named with the line that names it', async () => {
    const missing = { name: 'quick', file: join(folder, 'none.gq'), source: 'trellis.yaml:7' };
    const error = await refusalOf(loadStoredQueries([missing], schema));
    expect(error.message).toMatch(/trellis\.yaml:7: Cannot read .*none\.gq/);
  });

  test('a file that is no UTF-8 is refused instead of guessed at', async () => {
    const file = join(folder, 'latin.gq');
    await writeFile(file, `// caf\u00e9\n${quick}`, 'latin1');
    const error = await refusalOf(
      loadStoredQueries([{ name: 'quick', file, source: 'trellis.yaml:7' }], schema),
    );
    expect(error.message).toMatch(/trellis\.yaml:7: .*latin\.gq is not UTF-8 text/);
  });

  test('every problem of every file is told', async () => {
    const queries = await storeQueries(folder, { quick: broken, by_cook: 'query by_cook(' });
    const { message } = await refusalOf(loadStoredQueries(queries, schema));
    expect(message).toContain('quick.gq:5:15');
    expect(message).toContain('by_cook.gq:1:');
  });

  test('a parameter that would hide where to run the query is refused', async () => {
    const clashing =
      'query q($snapshot: String) { match { $c: Cook { email: $snapshot } } return { $c.email } }';
    const { message } = await refusalOf(
      loadStoredQueries(await storeQueries(folder, { q: clashing }), schema),
    );
    expect(message).toContain('q.gq:1:9: ');
    expect(message).toContain('$snapshot');
  });

  test('on a graph without a schema queries are stored too', async () => {
    const open = 'query people() { match { $p: Person } return { $p.name } }';
    const { all } = await loadStoredQueries(await storeQueries(folder, { people: open }), null);
    expect(all.map(({ name }) => name)).toEqual(['people']);
  });
});

describe('names of tools', () => {
  const open = async (queries: Record<string, string>) =>
    Kitchen.open(sqlite, { graphs: { work: { queries: await storeQueries(folder, queries) } } });
  const named = (name: string, tool: string) =>
    `query ${name}() @mcp(tool_name: "${tool}") { match { $c: Cook } return { $c.email } }`;

  test.each(['snapshot', 'query', 'read', 'change', 'health', 'stored_query_run'])(
    'that of the built-in %s refuses the start, naming both',
    async (tool) => {
      const error = await refusalOf(open({ mine: named('mine', tool) }));
      expect(error.code).toBe('CONFIG_INVALID');
      expect(error.message).toContain('the stored query mine (trellis.yaml:1)'.slice(4));
      expect(error.message).toContain(tool);
    },
  );

  test('two queries of one name refuse the start, naming both', async () => {
    const error = await refusalOf(open({ first: named('first', 'same'), second: named('second', 'same') }));
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toContain('second (trellis.yaml:2)');
    expect(error.message).toContain('first (trellis.yaml:1)');
  });

  test('one that a route goes by inside does not take its place', async () => {
    const named = (name: string) =>
      `query ${name}() { match { $r: Recipe } return { count($r) as recipes } }`;
    const names = ['queries_list', 'queries_run', 'export', 'constructor', 'toString'];
    const queries = await storeQueries(folder, Object.fromEntries(names.map((name) => [name, named(name)])));
    kitchen = await Kitchen.open(sqlite, { graphs: { work: { queries } } });
    const listed = await kitchen.rest(undefined, 'GET', 'queries');
    expect(listed.body['queries']).toMatchObject(names.map((name) => ({ name })));
    for (const name of names) {
      const answer = { query_name: name, rows: [{ recipes: 2 }] };
      expect(await kitchen.rest(undefined, 'POST', `queries/${name}`, {})).toMatchObject({ body: answer });
      expect(await (await kitchen.as()).ok(name)).toMatchObject(answer);
    }
    expect((await kitchen.rest(undefined, 'POST', 'queries/hasOwnProperty', {})).status).toBe(404);
  });

  test('a name that is too long for a tool needs another', async () => {
    const name = 'q'.repeat(65);
    const error = await refusalOf(
      open({ [name]: `query ${name}() { match { $c: Cook } return { $c.email } }` }),
    );
    expect(error.hint).toContain('tool_name');
  });
});

describe.each(databaseKinds)('a registry on $kind', (kind) => {
  test('a graph whose query is broken is refused with file and line; the others serve', async () => {
    const reported: string[] = [];
    kitchen = await Kitchen.open(kind, {
      graphs: {
        work: { queries: await storeQueries(folder, { quick }) },
        broken: { queries: await storeQueries(join(folder, 'broken'), { quick: broken }) },
      },
      report: (error) => reported.push(asTrellisError(error).message),
    });
    expect(reported.join()).toContain('The graph broken is not served');
    expect(reported.join()).toContain('quick.gq:5:15');
    expect(await (await kitchen.as()).ok('quick', { most: 30 })).toMatchObject({ row_count: 1 });
    const refused = await kitchen.rest(undefined, 'GET', 'queries', undefined, 'broken');
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'STORED_QUERY_INVALID' } } });
    expect(JSON.stringify(refused), 'clients learn no paths').not.toContain(folder);
    await expect((await kitchen.as(undefined, 'broken')).names()).rejects.toThrow('503');
    // Whoever mends it need not stop the others.
    await writeFile(join(folder, 'broken', 'quick.gq'), quick);
    expect(await (await kitchen.as(undefined, 'broken')).ok('quick', { most: 30 })).toMatchObject({
      row_count: 1,
    });
  });

  test('schema_apply refuses what would break a stored query, naming it, and changes nothing', async () => {
    kitchen = await Kitchen.open(kind);
    const tools = await kitchen.as();
    const without = schema.replace('minutes: I32?', '');
    const [refused] = await tools.error('schema_apply', { schema: without, allow_data_loss: true });
    expect(refused).toContain('The stored query quick');
    expect(refused).toContain('quick.gq:5:');
    expect(refused, 'agents learn no paths').not.toContain(kitchen.folder);
    expect(await kitchen.rest(undefined, 'POST', 'schema/apply', { schema: without })).toMatchObject({
      status: 409,
      body: {
        error: { code: 'SCHEMA_BREAKS_QUERY', queries: [{ name: 'quick' }, { name: 'add_recipe' }] },
      },
    });
    expect(await tools.ok('schema_get')).toEqual({ schema_source: schema });
    const wider = `${schema}node Shop { name: String @key }\n`;
    expect(await tools.ok('schema_apply', { schema: wider })).toMatchObject({ applied: true });
    expect(await tools.ok('quick', { most: 30 })).toMatchObject({ row_count: 1 });
  });

  test('one that a schema broke from elsewhere is told with its file and line, but not its folder', async () => {
    kitchen = await Kitchen.open(kind);
    const graph = new Graph(kitchen.scratch.store, 'work');
    await applyGraphSchema(
      { commit: (work) => graph.commit({ actor: 'ann', tool: 'test' }, work) },
      { source: schema.replace('minutes: I32?', ''), allowDataLoss: true },
    );
    const [refused] = await (await kitchen.as()).error('quick', { most: 30 });
    expect(refused).toMatch(/^ *quick\.gq:5:23: /m);
    const { body } = await kitchen.rest(undefined, 'POST', 'queries/quick', { params: { most: 30 } });
    expect(JSON.stringify(body)).toContain('quick.gq:5:');
    expect(JSON.stringify(body)).not.toContain(kitchen.folder);
  });

  test('a snapshot is read as it was when it was made', async () => {
    kitchen = await Kitchen.open(kind);
    const tools = await kitchen.as();
    const { commits } = await tools.ok('commits_list');
    const oldest = (commits as { commit_id: string }[]).at(-1)?.commit_id;
    expect(await tools.ok('quick', { most: 30, snapshot: oldest })).toMatchObject({
      row_count: 0,
      commit_id: oldest,
    });
  });

  test('beyond 24 exposed queries, or if it is asked for, two tools list and run them', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [
        `q${index}`,
        `query q${index}() { match { $c: Cook } return { $c.email as email } }`,
      ]),
    );
    const queries = await storeQueries(folder, { ...menu, ...many });
    kitchen = await Kitchen.open(kind, {
      graphs: {
        work: { queries },
        few: { queries: queries.slice(0, 4), storedQueryTools: 'pair' },
        each: { queries, storedQueryTools: 'each' },
      },
    });
    const tools = await kitchen.as();
    expect((await tools.names()).slice(-2)).toEqual(['stored_query_list', 'stored_query_run']);
    expect((await (await kitchen.as(undefined, 'few')).names()).slice(-1)).toEqual(['stored_query_run']);
    expect(await (await kitchen.as(undefined, 'each')).names()).toEqual(
      expect.arrayContaining(['quick', 'q24']),
    );
    const { queries: listed } = await tools.ok('stored_query_list');
    expect((listed as { name: string }[]).map(({ name }) => name)).not.toContain('all_slugs');
    expect(listed).toHaveLength(28);
    expect(await tools.ok('stored_query_run', { name: 'quick', params: { most: 30 } })).toMatchObject({
      rows: [{ slug: 'soup' }],
    });
    expect(await tools.ok('stored_query_run', { name: 'add_recipe', params: { slug: 'pie' } })).toMatchObject(
      {
        affected_nodes: 1,
      },
    );
    const wrong = await tools.error('stored_query_run', { name: 'quick', params: { mots: 1 } });
    expect(wrong.join()).toContain('Did you mean "most"');
    for (const name of ['all_slugs', 'no_such_query', '__proto__'])
      expect(await tools.refusal('stored_query_run', { name })).toEqual(unknown('stored_query_run'));
    // What is not listed is not there.
    expect(await tools.refusal('quick', { most: 30 })).toEqual(unknown('quick'));
  });

  test('the pair is there for whoever may run one of the exposed queries, and unknown to others', async () => {
    const queries = await storeQueries(folder, { add_recipe: menu['add_recipe'] ?? '', all_slugs: hidden });
    const rule = (actor: string, actions: string, names: string) =>
      `  - { id: ${actor}, allow: { actors: { actor: ${actor} }, actions: [${actions}], queries: [${names}] } }`;
    kitchen = await Kitchen.open(kind, {
      graphs: { work: { queries, storedQueryTools: 'pair' } },
      actors: ['clerk', 'reader', 'script'],
      policy: [
        'version: 1',
        'rules:',
        rule('clerk', 'invoke_query, change', 'add_recipe'),
        rule('reader', 'invoke_query', 'add_recipe'),
        rule('script', 'invoke_query', 'all_slugs'),
      ].join('\n'),
    });
    const pair = ['stored_query_list', 'stored_query_run'];
    expect((await (await kitchen.as('clerk')).names()).slice(-2)).toEqual(pair);
    // One may invoke it but not change the graph, the other invokes over plain HTTP what is no tool.
    for (const actor of ['reader', 'script']) {
      const tools = await kitchen.as(actor);
      expect(await tools.names()).toEqual([]);
      for (const name of pair)
        expect(await tools.refusal(name, { name: 'all_slugs' })).toEqual(unknown(name));
    }
    expect(await kitchen.rest('script', 'POST', 'queries/all_slugs')).toMatchObject({ status: 200 });
  });

  test('the limits of a graph bound the rows of its queries, stored or not', async () => {
    const queries = await storeQueries(folder, menu);
    kitchen = await Kitchen.open(kind, { graphs: { work: { queries, limits: { rows: 1 } } } });
    const tools = await kitchen.as();
    expect(await tools.ok('quick', { most: 30 })).toMatchObject({ row_count: 1 });
    expect((await tools.error('quick', { most: 300 })).join()).toContain('more than 1 rows');
    const source = 'query q() { match { $r: Recipe } return { $r.slug } }';
    expect((await tools.error('query', { source })).join()).toContain('more than 1 rows');
    expect(await kitchen.rest(undefined, 'POST', 'queries/all_slugs')).toMatchObject({
      status: 413,
      body: { error: { code: 'LIMIT_EXCEEDED' } },
    });
  });

  test('arguments of a stored query are parameters and where to run it, and nothing else', async () => {
    kitchen = await Kitchen.open(kind);
    const tools = await kitchen.as();
    for (const args of [
      {},
      { most: '30' },
      { most: 30, extra: 1 },
      { most: 2 ** 40 },
      { most: 30, branch: 7 },
    ])
      expect((await tools.error('quick', args)).join(), JSON.stringify(args)).toMatch(/most|extra|branch/);
    expect((await tools.error('add_recipe', { slug: 'x', snapshot: 'y' })).join()).toContain('snapshot');
    expect((await tools.error('quick', { most: 1, branch: 'none' })).join()).toContain('none');
    expect(await tools.ok('add_recipe', { slug: "'; drop table node_row; --" })).toMatchObject({
      affected_nodes: 1,
    });
    const found = await kitchen.rest(undefined, 'POST', 'queries/all_slugs', {});
    expect(found.body['rows']).toContainEqual({ slug: "'; drop table node_row; --" });
    const loose = await kitchen.rest(undefined, 'POST', 'queries/quick', { most: 30 });
    expect(loose).toMatchObject({ status: 400, body: { error: { code: 'INVALID_ARGUMENT' } } });
    const inherited = JSON.parse('{"__proto__": 1, "most": 30}');
    expect(await kitchen.rest(undefined, 'POST', 'queries/quick', { params: inherited })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('__proto__ is not allowed') } },
    });
    for (const name of ['all_slugs', 'quick']) {
      const twice = await kitchen.rest(undefined, 'POST', 'queries/all_slugs', { name });
      expect(twice).toMatchObject({
        status: 400,
        body: { error: { code: 'INVALID_ARGUMENT', message: 'name is given twice.' } },
      });
    }
    const onSnapshot = { params: { slug: 'x' }, snapshot: 'y' };
    expect(await kitchen.rest(undefined, 'POST', 'queries/add_recipe', onSnapshot)).toMatchObject({
      status: 400,
    });
  });
});

describe('mcp.allow_adhoc', () => {
  const policy = `
version: 1
rules:
  - { id: all, allow: { actors: any, actions: [read, change, invoke_query] } }
`;
  const source = 'query n() { match { $c: Cook } return { count($c) as n } }';
  const open = async (allowAdhoc: boolean | undefined, withTokens: boolean) => {
    const queries = await storeQueries(folder, menu);
    kitchen = await Kitchen.open(sqlite, {
      graphs: { work: { queries, allowAdhoc } },
      ...(withTokens ? { policy, actors: ['bot'] } : {}),
    });
    return kitchen.as('bot');
  };
  const adhoc = ['query', 'mutate'];

  test.each([
    { allowAdhoc: undefined, withTokens: true, shown: false },
    { allowAdhoc: undefined, withTokens: false, shown: true },
    { allowAdhoc: true, withTokens: true, shown: true },
    { allowAdhoc: false, withTokens: false, shown: false },
  ])('$allowAdhoc, tokens: $withTokens → shown: $shown', async ({ allowAdhoc, withTokens, shown }) => {
    const tools = await open(allowAdhoc, withTokens);
    const names = await tools.names();
    expect(adhoc.filter((name) => names.includes(name))).toEqual(shown ? adhoc : []);
    for (const name of [...adhoc, 'read', 'change']) {
      if (!shown) expect(await tools.refusal(name, { source })).toEqual(unknown(name));
    }
    if (shown) expect(await tools.ok('query', { source })).toMatchObject({ rows: [{ n: 1 }] });
    // Plain HTTP is under the policy alone.
    expect(await kitchen?.rest('bot', 'POST', 'query', { source })).toMatchObject({
      status: 200,
      body: { rows: [{ n: 1 }] },
    });
  });
});

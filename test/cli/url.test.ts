import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GraphClient } from '../graph/graph-client.js';
import { type PeopleActor, PeopleServer, tokenOf } from '../graph/people-server.js';
import { databaseKinds, sqlite } from '../helpers/stores.js';
import { FakeServer } from '../proxy/fake-server.js';
import { drawGraphs } from './drawn-graphs.js';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const people = 'query people() { match { $p: `person` } return { $p.name } order { $p.name } }';

const graphOf = (args: readonly string[]) => (args.includes('--graph') ? [] : ['--graph', 'work']);

describe.each(databaseKinds)('commands with --url, on $kind', (kind) => {
  let server: PeopleServer;

  beforeAll(async () => {
    server = await PeopleServer.start(kind);
    await server.memory().ok('create_entities', {
      entities: [
        { name: 'Ada', entityType: 'person', observations: ['wrote the first program', 'two\nlines'] },
        { name: 'Grace \u202e', entityType: 'person', observations: [] },
      ],
    });
    await server.mcp('').ok('branches_create', { name: 'draft/1' });
    await server.memory('boss', 'draft/1').ok('add_observations', {
      observations: [{ entityName: 'Ada', contents: ['liked horses'] }],
    });
  });
  beforeAll(() => drawGraphs(server.scratch.store));
  afterAll(() => server.close());

  const remote = (args: readonly string[], actor: PeopleActor = 'boss', input = '') =>
    sandbox.run([...args, '--url', server.url, ...graphOf(args)], { TRELLIS_TOKEN: tokenOf(actor) }, input);
  const local = (args: readonly string[]) =>
    sandbox.run([...args, '--store', server.scratch.path, ...graphOf(args)]);

  test.each([
    [['log']],
    [['log', '--branch', 'draft/1', '--limit', '1']],
    [['log', '--drawing', '--branch', 'draft/1']],
    [['log', '--actor', 'nobody']],
    [['log', '--since', '1h']],
    [['show', 'main']],
    [['show', 'draft/1']],
    [['diff', 'main', 'draft/1']],
    [['diff', 'main', 'main']],
    [['blame', 'Ada']],
    [['log', '--node', 'Ada']],
    [['log', '--node', 'Ada', '--branch', 'draft/1', '--actor', 'boss', '--since', '1h']],
    [['undo', '--last', '--dry-run']],
    [['undo', '--actor', 'boss', '--since', '1h', '--branch', 'draft/1', '--dry-run']],
    [['branch', 'list']],
    [['query', people]],
    [['query', people, '--format', 'csv']],
    [['export', '--format', 'graph']],
    [['export', '--format', 'graph', '--branch', 'draft/1']],
    [['export']],
    [['export', '--branch', 'draft/1', '--format', 'mesh']],
    [['export', '--format', 'dot']],
    [['export', '--format', 'graphml', '--graph', 'drawn']],
    [['export', '--format', 'mermaid', '--graph', 'drawn']],
    [['export', '--format', 'graphml', '--graph', 'keyed']],
  ])('%j prints the same as on the store', async (args) => {
    const printed = await remote(args);
    expect(printed).toEqual(await local(args));
    expect(printed.code).toBe(0);
    if (args.includes('--drawing')) return;
    expect(await remote([...args, '--json'])).toEqual(await local([...args, '--json']));
  });

  test('branches are created and deleted', async () => {
    const made = await remote(['branch', 'create', 'idea', '--from', 'draft/1', '--json']);
    const { head } = JSON.parse(made.stdout);
    expect(head).toMatch(/^01/);
    expect((await local(['branch', 'list'])).stdout).toContain(`idea  ${head}  (from draft/1)`);
    const gone = await remote(['branch', 'delete', 'idea']);
    expect(gone.stdout).toBe(`Deleted the branch idea; its last commit was ${head}\n`);
    const again = await remote(['branch', 'delete', 'idea']);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('[BRANCH_NOT_FOUND]');
  });

  test('a branch is merged, and its conflicts are resolved', async () => {
    const edit = (branch: string, operation: object) =>
      server.ok('POST', 'edit', { branch, operations: [{ name: 'Both', type: 'person', ...operation }] });
    await edit('main', { op: 'add_node', summary: 'base' });
    await remote(['branch', 'create', 'theirs']);
    await edit('main', { op: 'update_node', set: { summary: 'ours' } });
    await edit('theirs', { op: 'update_node', set: { summary: 'theirs' } });
    await edit('theirs', { op: 'add_node', name: 'Fine' });
    const merge = ['branch', 'merge', 'theirs'];
    const preview = await remote([...merge, '--dry-run']);
    expect(preview.code).toBe(1);
    expect(preview).toEqual(await local([...merge, '--dry-run']));
    expect(preview.stdout).toMatch(/would change 1 node, 0 edges; 1 conflict\.\n\+ person Fine\n/);
    for (const more of [['--take', 'target'], ['--take', 'source'], ['--json']]) {
      const [there, here] = [
        await remote([...merge, '--dry-run', ...more]),
        await local([...merge, '--dry-run', ...more]),
      ];
      expect(there).toEqual(here);
    }
    expect(preview.stdout).toContain('node/person/Both#summary');
    expect((await remote([...merge, '--dry-run'], 'reader')).code).toBe(1);
    const refused = await remote(merge);
    expect(refused).toEqual(await local(merge));
    expect(refused.stderr).toMatch(/node\/person\/Both#summary\n.*--take source:ID/s);
    const merged = await remote([...merge, '--take', 'source', '--delete', '--message', 'reviewed']);
    expect(merged.stdout).toMatch(
      /^Merged theirs into main \(merge\): 2 nodes, 0 edges changed\. Commit 01\w+\nDeleted the branch theirs\.\n$/,
    );
    expect((await local(['log', '--limit', '1'])).stdout).toMatch(/boss .*"reviewed" {2}merges 01/);
    expect((await remote(['log'])).stdout).toContain('Z  theirs  boss  edit  ');
    for (const args of [['log'], ['recent'], ['log', '--json']]) {
      const { stdout } = await remote(args, 'reader');
      expect(stdout).not.toContain('theirs  ');
      expect(stdout).not.toContain('"theirs"');
      if (!args.includes('--json')) expect(stdout).toContain('Z  -  boss  edit  ');
    }
    expect((await local(['get', 'Both'])).stdout).toContain('summary  theirs\n');
    expect((await remote(['branch', 'merge', 'main', '--into', 'draft/1', '--dry-run'])).code).toBe(0);
  });

  test.each([
    [['get', 'Nobody'], 'look for the exact one with trellis search.\n'],
    [['blame', 'Nobody'], 'look for the exact one with trellis search.\n'],
    [['rm', 'Ada', '--observation', '99'], 'See the ordinals of the node with trellis get;'],
    [['get', 'Ada', '--branch', 'none'], 'List the branches with trellis branch list\n'],
    [['undo', '--commit', '01ARZ3NDEKTSV4RRFFQ69G5FAV'], 'List the commits with trellis log\n'],
  ])('the hint of %j names a command', async (args, hint) => {
    for (const { code, stderr } of [await remote(args), await local(args)]) {
      expect(code).toBe(1);
      expect(stderr).toContain(hint);
    }
    expect((await remote([...args, '--json'])).stderr).toContain(hint.trim());
  });

  test.each(['.', '..'])('a node named %s is shown, blamed and deleted', async (name) => {
    expect((await remote(['add', name, '--type', 'dots', '--observation', 'odd'])).code).toBe(0);
    for (const args of [
      ['get', name],
      ['blame', name],
      ['log', '--node', name],
      ['get', name, '--json'],
    ]) {
      const shown = await remote(args);
      expect(shown).toEqual(await local(args));
      expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('odd') });
    }
    expect((await remote(['rm', name])).code).toBe(0);
  });

  test('a mutation is a commit of the owner of the token', async () => {
    const insert = 'query add($name: String) { insert `city` { name: $name } }';
    const done = await remote(['mutate', insert, '--param', 'name=Rome', '--json']);
    expect(JSON.parse(done.stdout)).toMatchObject({ affected_nodes: 1, actor_id: 'boss', branch: 'main' });
    const blind = await remote(['mutate', insert, '--param', 'name=Oslo'], 'writer');
    expect(blind).toEqual({ code: 0, stdout: 'Ran it on main.\n', stderr: '' });
    const as = await remote(['mutate', insert, '--param', 'name=Bern', '--as', 'ann']);
    expect(as).toMatchObject({ code: 2, stdout: '' });
    expect(as.stderr).toContain('A server records the actor that the token belongs to.');
  });

  test('the gate registry is changed, and what the gate rejected is listed', async () => {
    await server.scratch.store.createGraph('gated');
    const gate = (...args: string[]) => ['gate', ...args, '--graph', 'gated'];
    const empty = await remote(gate('drift'));
    expect(empty).toEqual(await local(gate('drift')));
    expect(empty.stderr).toContain('There is no gate registry in the graph gated');
    const added = await remote(
      gate('schema', 'add', 'Person', '--required', 'name', '--type', 'age:integer', '--message', 'new'),
    );
    expect(added.stdout).toBe('Added Person to the gate registry of the graph gated\n');
    await remote(gate('schema', 'add', 'KNOWS', '--relationship', '--from', 'Person'));
    await remote(gate('schema', 'add', 'Dog'));
    await remote(gate('schema', 'add', 'OWNS', '--relationship', '--to', 'Dog'));
    const removed = await remote(gate('schema', 'remove', 'Dog'));
    expect(removed.stdout).toMatch(/^Removed Dog from .* gated\nwarning: OWNS still names Dog: /);
    await remote(gate('schema', 'remove', 'OWNS'));
    const client = new GraphClient(`${server.url}/graphs/gated/gate/mcp`, server.headers('boss'));
    for (const label of ['Persn', 'Spaceship'])
      await client.ok('write_node', {
        ...{ label, merge_keys: { name: 'Ada' }, properties: {}, source: 'x', extraction_method: 'llm' },
      });
    for (const args of [
      gate('schema', 'list'),
      gate('schema', 'list', '--json'),
      gate('rejections'),
      gate('rejections', '--limit', '1', '--since', '1h', '--code', 'SCHEMA_UNKNOWN_LABEL', '--json'),
      gate('drift', '--json'),
      ['log', '--graph', 'gated', '--limit', '10'],
    ]) {
      const printed = await remote(args);
      expect(printed).toEqual(await local(args));
      expect(printed).toMatchObject({ code: 0, stdout: expect.stringMatching(/Pers|boss/) });
    }
    expect((await remote(gate('drift'))).stdout).toContain(
      `trellis gate schema add Person --absorbs Persn --url ${server.url} --graph gated\n`,
    );
    const forbidden = await remote(gate('schema', 'add', 'Cat'), 'reader');
    expect(forbidden).toMatchObject({ code: 1, stdout: '' });
    const mixed = await remote(gate('drift', '--gate-schema', 'gate.json'));
    expect(mixed).toMatchObject({ code: 2, stdout: '' });
    expect(mixed.stderr).toContain('--url and --gate-schema are both given.');
  });

  test('lines are ingested from a file and from standard input', async () => {
    await writeFile(sandbox.path('a.ndjson'), '{"type":"city","data":{"name":"Bonn"}}\n');
    const done = await remote(['ingest', 'a.ndjson', '--branch', 'loaded', '--from', 'main']);
    expect(done.stdout).toMatch(/^Ingested 1 node, 0 edges into loaded\. Commit 01/);
    const wrong = await remote(['ingest'], 'boss', '{"type":"city"}\n{"type":"city","data":{"name":"B"}}\n');
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toMatch(/^trellis: Line 1/);
    const missing = await remote(['ingest', 'b.ndjson']);
    expect(missing.stderr).toMatch(/Cannot read b\.ndjson: .*\[INVALID_ARGUMENT\]/);
  });

  test('an export goes to a file, complete or not at all', async () => {
    const done = await remote(['export', 'out.ndjson', '--format', 'graph', '--branch', 'draft/1']);
    expect(done).toMatchObject({ code: 0, stdout: '' });
    expect(await readFile(sandbox.path('out.ndjson'), 'utf8')).toBe(
      (await local(['export', '--format', 'graph', '--branch', 'draft/1'])).stdout,
    );
    const folder = await remote(['export', '--format', 'csv']);
    expect(folder.code).toBe(2);
    expect(folder.stderr).toContain('Name a new folder');
  });

  test.each(['csv', 'markdown'])('an export as %s goes to a folder', async (format) => {
    for (const graph of ['drawn', 'keyed']) {
      const args = (to: string) => ['export', to, '--format', format, '--graph', graph];
      const [there, here] = [await remote(args(`${graph}-there`)), await local(args(`${graph}-here`))];
      expect(there).toEqual({ ...here, stderr: here.stderr.replaceAll('-here', '-there') });
      expect(there.code).toBe(0);
      const files = await readdir(sandbox.path(`${graph}-here`));
      expect(files.length).toBeGreaterThan(1);
      expect(await readdir(sandbox.path(`${graph}-there`))).toEqual(files);
      for (const file of files)
        expect(await readFile(sandbox.path(`${graph}-there`, file), 'utf8')).toBe(
          await readFile(sandbox.path(`${graph}-here`, file), 'utf8'),
        );
    }
  });

  test('a schema is planned, applied and shown', async () => {
    await server.scratch.store.createGraph('typed');
    await writeFile(sandbox.path('a.pg'), 'node Person {\n  name: String @key\n}\n');
    await writeFile(sandbox.path('b.pg'), 'node Person {\n  name: I32 @key\n}\n');
    const typed = ['--graph', 'typed'];
    const none = await remote(['schema', 'show', ...typed]);
    expect(none.stderr).toContain('The graph typed has no schema.');
    const plan = await remote(['schema', 'plan', 'a.pg', ...typed]);
    expect(plan).toEqual(await local(['schema', 'plan', 'a.pg', ...typed]));
    expect((await remote(['schema', 'apply', 'a.pg', ...typed])).stdout).toMatch(
      /Applied to typed\. Commit 01/,
    );
    await remote(['mutate', 'query q() { insert Person { name: "Ada" } }', ...typed]);
    for (const args of [
      ['schema', 'show', ...typed],
      ['schema', 'show', '--json', ...typed],
      ['schema', 'plan', 'b.pg', ...typed],
      ['schema', 'apply', 'b.pg', ...typed],
      ['schema', 'apply', 'b.pg', '--json', ...typed],
    ])
      expect(await remote(args)).toEqual(await local(args));
    const nameless = await remote(['schema', 'apply', ...typed]);
    expect(nameless).toMatchObject({ code: 2, stderr: expect.stringContaining('Name the file') });
  });

  test('the policy decides, and its refusal is the error of the command', async () => {
    const denied = await remote(['mutate', 'query q() { insert `city` { name: "X" } }', '--json'], 'reader');
    expect(denied).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(denied.stderr).error).toMatchObject({
      code: 'FORBIDDEN',
      hint: expect.stringContaining('grant'),
    });
    const hidden = await remote(['log', '--branch', 'draft/1'], 'reader');
    const unknown = await remote(['log', '--branch', 'draft/2'], 'boss');
    expect(hidden.stderr).toMatch(/\[(FORBIDDEN|BRANCH_NOT_FOUND)\]/);
    expect(unknown.stderr).toContain('[BRANCH_NOT_FOUND]');
    expect((await remote(['branch', 'list'], 'reader')).stdout).toMatch(/^main {2}01\w+\n$/);
    expect((await remote(['log'], 'nobody')).stderr).toMatch(
      /\[GRAPH_NOT_FOUND\]\n {2}Choose a graph .* --graph/,
    );
  });

  test('a server has a name under servers:, and a token in the credentials file', async () => {
    await mkdir(sandbox.path('home/.config/trellis'), { recursive: true });
    await writeFile(
      sandbox.path('home/.config/trellis/servers.yaml'),
      `servers:\n  team: { endpoint: "${server.url}" }\n`,
    );
    await writeFile(
      sandbox.path('home/.config/trellis/credentials'),
      `[team]\ntoken = ${tokenOf('reader')}\n`,
      { mode: 0o600 },
    );
    const named = await sandbox.run(['log', '--url', 'team', '--graph', 'work']);
    expect(named).toEqual(await remote(['log'], 'reader'));
    const variable = await sandbox.run(['log', '--url', 'team'], { TRELLIS_GRAPH: 'work' });
    expect(variable).toEqual(named);
    const path = `${server.url}/graphs/work/memory/mcp`;
    const inPath = await sandbox.run(['log', '--url', path], { TRELLIS_TOKEN: tokenOf('reader') });
    expect(inPath).toEqual(named);
    const unknown = await sandbox.run(['log', '--url', 'taem']);
    expect(unknown.stderr).toContain('Did you mean team?');
  });
});

describe('graphs of a server', () => {
  test('are created, listed, renamed and deleted', async () => {
    const server = await PeopleServer.start(sqlite, { open: true });
    const run = (...args: string[]) => sandbox.run(['graph', ...args, '--url', server.url]);
    try {
      expect((await run('create', 'notes')).stdout).toBe(`Created the graph notes in ${server.url}\n`);
      expect((await run('rename', 'notes', 'ideas')).code).toBe(0);
      expect((await run('list')).stdout).toBe('default\nideas\nwork\n');
      expect(JSON.parse((await run('list', '--json')).stdout).graphs).toContainEqual({ name: 'ideas' });
      expect((await run('delete', 'ideas')).stderr).toContain('--yes');
      expect((await run('delete', 'ideas', '--yes')).stdout).toContain('Deleted the graph ideas');
      expect((await run('list')).stdout).toBe('default\nwork\n');
    } finally {
      await server.close();
    }
  });
});

test('a word that is no file and no query is a stored query of the server', async () => {
  const file = sandbox.path('q.gq');
  await writeFile(
    file,
    'query named($n: I32, $at: Date?) { match { $p: `person` } return { $p.name } limit 5 }',
  );
  const add = sandbox.path('add.gq');
  await writeFile(add, 'query add($name: String) { insert `person` { name: $name } }');
  const stored = (name: string, path: string) => ({ name, file: path, source: '' });
  const server = await PeopleServer.start(sqlite, {
    open: true,
    settings: { queries: [stored('named', file), stored('add', add)] },
  });
  const run = (...args: string[]) => sandbox.run([...args, '--url', server.url, '--graph', 'work']);
  try {
    // 7 is a text here, although it looks like a number.
    const added = await run('mutate', 'add', '--param', 'name=7', '--message', 'by hand');
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('Changed 1 node') });
    expect((await run('log')).stdout).toContain('"by hand"');
    const found = await run('query', 'named', '--param', 'n=3', '--param', 'at=2026-01-31');
    expect(found).toMatchObject({ code: 0, stdout: 'p.name\n------\n7\n1 row\n' });
    expect((await run('mutate', 'named')).stderr).toContain('named only reads the graph.');
    expect((await run('query', 'nemad')).stderr).toContain('[QUERY_NOT_FOUND]');
    expect((await run('query', 'named', '--explain')).code).toBe(2);
  } finally {
    await server.close();
  }
});

describe('when something else answers', () => {
  const answering = async (
    status: number,
    headers: Record<string, string>,
    body: string,
    args: readonly string[] = ['log'],
  ) => {
    const fake = await FakeServer.start((_, response) => response.writeHead(status, headers).end(body));
    const outcome = await sandbox.run([...args, '--url', fake.url], { TRELLIS_TOKEN: 'abc' });
    await fake.close();
    return { ...outcome, fake };
  };

  test.each([
    ['HTML', 200, '<h1>It works!</h1>'],
    ['nothing', 200, ''],
    ['other JSON', 200, '{"hello":"world"}'],
    ['a page that does not exist', 404, 'Not found'],
  ])('%s', async (_, status, body) => {
    const { code, stdout, stderr } = await answering(status, {}, body);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/but not as Trellis does\. \[SERVER_UNAVAILABLE\]\n {2}Check --url/);
  });

  test('a redirect is not followed, and the token stays here', async () => {
    const { stderr, fake } = await answering(302, { Location: 'http://127.0.0.1:9/login' }, '');
    expect(stderr).toMatch(/answered 302.*\n.*redirects to http:\/\/127\.0\.0\.1:9\/login/);
    expect(fake.arrived).toHaveLength(1);
  });

  test('a wrong token', async () => {
    const { stderr } = await answering(401, {}, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000}}');
    expect(stderr).toMatch(/answered 401\. \[UNAUTHENTICATED\]\n {2}The token in TRELLIS_TOKEN is not valid/);
  });

  test('a limit, and when to try again', async () => {
    const body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Too many requests."}}';
    const { stderr } = await answering(429, { 'Retry-After': '7' }, body);
    expect(stderr).toMatch(/Too many requests\. \[SERVER_BUSY\]\n {2}Wait 7 s/);
  });

  test('a newer server, with an error of its own', async () => {
    const { stderr } = await answering(418, {}, '{"error":{"code":"TEAPOT","message":"No.","hint":"Tea?"}}');
    expect(stderr).toBe('trellis: No. [SERVER_UNAVAILABLE]\n  Tea?\n');
  });

  test('nobody', async () => {
    const fake = await FakeServer.start(() => {});
    await fake.close();
    const { code, stderr } = await sandbox.run(['log', '--url', fake.url]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Cannot reach ${fake.url}: connection refused. [SERVER_UNAVAILABLE]`);
  });

  test('an export that breaks off leaves no file', async () => {
    const fake = await FakeServer.start((_, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('{"type":"city","data":{"name":"Rome"}}\n', () => response.destroy());
    });
    const { code, stderr } = await sandbox.run(['export', 'a', '--format', 'graph', '--url', fake.url]);
    await fake.close();
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('[SERVER_UNAVAILABLE]'),
    });
    await expect(readFile(sandbox.path('a'))).rejects.toThrow('ENOENT');
  });
});

test.each([
  [['log', '--url', 'http://192.0.2.1'], /--insecure/],
  [['log', '--url', 'ftp://host'], /http/],
  [['log', '--url', 'http://127.0.0.1:1', '--store', 'a.db'], /--url and --store are both given/],
  [
    ['gc', '--keep', '1d', '--url', 'team'],
    /There is no --url for trellis gc\.\n {2}It works on this machine only: it deletes history for good/,
  ],
  [['token', 'list', '--url', 'team'], /There is no --url for trellis token\.\n {2}It works on this machine/],
])('%j is wrong usage', async (args, words) => {
  const { code, stdout, stderr } = await sandbox.run(args, { TRELLIS_TOKEN: 'abc' });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(words);
});

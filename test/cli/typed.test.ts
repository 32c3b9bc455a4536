import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { personLines, personSchema, useTypedSandbox } from './typed-files.js';

const sandbox = useTypedSandbox();
const store = ['--store', 's.db'];

describe('trellis schema plan and apply', () => {
  test('a plan changes nothing, applying does, and doing it again is nothing to do', async () => {
    const plan = await sandbox.run(['schema', 'plan', 'work.pg', ...store]);
    expect(plan).toMatchObject({ code: 0, stderr: '' });
    expect(plan.stdout).toBe(
      '- The node Person is added.\n- The edge Knows is added.\nNothing was changed.\n',
    );
    const applied = await sandbox.run(['schema', 'apply', 'work.pg', ...store]);
    expect(applied.stdout).toMatch(/Applied to default\. Commit [0-9A-Z]{26}\n$/);
    expect((await sandbox.run(['schema', 'apply', 'work.pg', ...store])).stdout).toBe(
      'default has this schema already.\n',
    );
  });

  test('it is the schema of the gate from then on, which schema add and remove do not change', async () => {
    await sandbox.run(['schema', 'apply', 'work.pg', ...store]);
    const listed = await sandbox.run(['schema', 'list', ...store]);
    expect(listed.stdout).toBe(
      'Person  requires email; types email:string, age:integer\nKnows  from Person to Person\n',
    );
    for (const command of ['add', 'remove']) {
      const refused = await sandbox.run(['schema', command, 'Person', ...store]);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('is typed; the gate uses its graph schema');
      expect(refused.stderr).toContain('trellis schema apply FILE');
    }
    expect((await sandbox.run(['schema', 'list', ...store])).stdout).toBe(listed.stdout);
  });

  test('what loses data or cannot be done exits with 1', async () => {
    await sandbox.run(['schema', 'apply', 'work.pg', ...store]);
    await sandbox.run(['ingest', 'people.ndjson', ...store]);
    await writeFile(sandbox.path('less.pg'), 'node Person { email: String @key }');
    const plan = await sandbox.run(['schema', 'plan', 'less.pg', ...store]);
    expect(plan.stdout).toMatch(/^! .*\nNothing was changed\. Steps marked ! lose data\.\n$/s);
    const refused = await sandbox.run(['schema', 'apply', 'less.pg', ...store]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('SCHEMA_DATA_LOSS');
    expect(refused.stderr).toContain('--allow-data-loss');
    expect(await sandbox.run(['schema', 'apply', 'less.pg', '--allow-data-loss', ...store])).toMatchObject({
      code: 0,
    });
    await writeFile(sandbox.path('more.pg'), 'node Person { email: String @key  role: String }');
    const impossible = await sandbox.run(['schema', 'apply', 'more.pg', '--json', ...store]);
    expect(impossible.code).toBe(1);
    expect(JSON.parse(impossible.stdout)).toMatchObject({
      ...{ supported: false, applied: false, steps: [{ step: 'unsupported_change' }] },
    });
  });

  test('without a file, the one of the configuration; without that, it says so', async () => {
    expect(await sandbox.run(['schema', 'apply', ...store])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('trellis schema apply work.pg'),
    });
    expect((await sandbox.run(['schema', 'apply', 'none.pg', ...store])).stderr).toContain('Cannot read');
  });

  test('a file that is no UTF-8 is refused instead of guessed at', async () => {
    await writeFile(sandbox.path('latin.pg'), 'node A { x: String @description("caf\u00e9") }', 'latin1');
    const { code, stderr } = await sandbox.run(['schema', 'apply', 'latin.pg', ...store]);
    expect(code).toBe(1);
    expect(stderr).toContain('latin.pg is not UTF-8 text');
  });
});

describe('the schema that the configuration names', () => {
  beforeEach(() =>
    writeFile(sandbox.path('trellis.yaml'), 'store: ./s.db\ngraphs:\n  work: { schema: work.pg }\n'),
  );

  test('starts an empty graph, and doctor tells when the two differ', async () => {
    await sandbox.run(['ingest', '--graph', 'work'], {}, '{"type":"Person","data":{"email":"ada"}}');
    const line = '{"type":"Nobody","data":{}}';
    expect((await sandbox.run(['ingest', '--graph', 'work'], {}, line)).stderr).toContain(
      'the schema has no node "Nobody"',
    );
    expect((await sandbox.run(['doctor'])).stdout).not.toContain('another schema');
    await writeFile(sandbox.path('work.pg'), `${personSchema}node Extra {}\n`);
    expect((await sandbox.run(['doctor'])).stdout).toContain('The graph work has another schema than');
    expect((await sandbox.run(['schema', 'apply', '--graph', 'work'])).stdout).toContain('Applied to work.');
    expect((await sandbox.run(['doctor'])).stdout).not.toContain('another schema');
  });
});

describe('trellis undo of a schema', () => {
  const older = 'node Person { email: String @key }\nedge Knows: Person -> Person\n';
  const configuration = (query: string) =>
    writeFile(
      sandbox.path('trellis.yaml'),
      `store: ./s.db\ngraphs:\n  work: { schema: work.pg, queries: { ${query}: { file: ages.gq } } }\n`,
    );
  const apply = async (text: string) => {
    await writeFile(sandbox.path('work.pg'), text);
    const { stdout } = await sandbox.run(['schema', 'apply', '--graph', 'work', '--json']);
    return JSON.parse(stdout).commit_id;
  };
  beforeEach(async () => {
    await configuration('ages');
    await writeFile(
      sandbox.path('ages.gq'),
      'query ages() { match { $p: Person } return { $p.age as age } }\n' +
        'query people() { match { $p: Person } return { $p.email as email } }\n',
    );
    await apply(older);
  });

  test.each([[[]], [['--dry-run']]])('is refused if a stored query would break: %j', async (flags) => {
    const commit = await apply(personSchema);
    const refused = await sandbox.run(['undo', '--graph', 'work', '--commit', commit, ...flags, '--json']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      code: 'SCHEMA_BREAKS_QUERY',
      hint: expect.stringContaining('Nothing was changed.'),
      details: { queries: [{ name: 'ages', problem: expect.stringContaining('age') }] },
    });
    expect((await sandbox.run(['schema', 'plan', '--graph', 'work'])).stdout).toBe(
      'work has this schema already.\n',
    );
  });

  test('is done if every stored query still fits', async () => {
    const commit = await apply(personSchema);
    await configuration('people');
    const undone = await sandbox.run(['undo', '--graph', 'work', '--commit', commit]);
    expect([undone.code, undone.stderr]).toEqual([0, '']);
    await writeFile(sandbox.path('work.pg'), older);
    expect((await sandbox.run(['schema', 'plan', '--graph', 'work'])).stdout).toBe(
      'work has this schema already.\n',
    );
  });
});

describe('a change of the schema in the history', () => {
  const ok = async (...args: string[]) => {
    const { code, stdout, stderr } = await sandbox.run([...args, ...store]);
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  const later = 'node Human @rename_from("Person") { email: String @key  born: Date? }\n';
  const steps = [
    '    ~ The node Person becomes Human.',
    '    + Human.born: Date? is added.',
    '    - Human.age is dropped.',
    '    - The edge Knows is dropped.',
  ];

  test('is told by log, show, diff, merge and undo', async () => {
    await ok('schema', 'apply', 'work.pg');
    await ok('branch', 'create', 'review');
    await writeFile(sandbox.path('later.pg'), later);
    await ok('schema', 'apply', 'later.pg');
    expect(await ok('log')).toMatch(/\(~schema\)\n.*\(~schema\)\n$/);
    const { commits } = JSON.parse(await ok('log', '--json'));
    expect(commits).toMatchObject([{ schema_changed: true }, { schema_changed: true }]);
    expect(await ok('show', commits[1].id)).toContain(
      'counts  ~schema\n+ schema\n    + The node Person is added.\n    + The edge Knows is added.\n',
    );
    expect(await ok('show', 'main')).toContain(['~ schema', ...steps, ''].join('\n'));
    expect(JSON.parse(await ok('show', 'main', '--json')).changes).toMatchObject({
      schema: {
        change: 'changed',
        steps: [
          { step: 'rename_type', kind: 'node', type: 'Human', from: 'Person' },
          { step: 'add_property', kind: 'node', type: 'Human', property: 'born' },
          { step: 'drop_property', kind: 'node', type: 'Human', property: 'age' },
          { step: 'drop_type', kind: 'edge', type: 'Knows' },
        ],
      },
    });
    expect(await ok('diff', 'review', 'main')).toBe(['~ schema', ...steps, ''].join('\n'));
    expect(await ok('branch', 'merge', 'main', '--into', 'review', '--dry-run')).toBe(
      [
        'Merging main into review (fast-forward) would change the schema, 0 nodes, 0 edges; 0 conflicts.',
        ...['~ schema', ...steps, ''],
      ].join('\n'),
    );
    await ok('branch', 'merge', 'main', '--into', 'review');
    expect(await ok('show', 'review')).toContain('~ schema\n');
    expect(await ok('diff', 'review', 'main')).toBe('review and main are identical.\n');
    expect(await ok('undo', '--commit', commits[0].id, '--dry-run')).toContain('  ~ schema\n');
    expect(await ok('undo', '--commit', commits[0].id)).toContain('Undid 1 commit.');
    expect(await ok('undo', '--commit', commits[1].id, '--dry-run')).toContain('  - schema\n');
    expect(await ok('undo', '--commit', commits[1].id)).toContain('Undid 1 commit.');
    expect(await ok('show', 'main')).toContain('counts  ~schema\n- schema\n');
  });

  test('is told even if nothing but the wording is another', async () => {
    await ok('schema', 'apply', 'work.pg');
    await writeFile(sandbox.path('work.pg'), `// people\n${personSchema}`);
    await ok('schema', 'apply', 'work.pg');
    expect(await ok('show', 'main')).toContain('~ schema\n    ~ only its wording\n');
  });
});

test('a merge that the schema forbids says why, and that how to fix a branch', async () => {
  await writeFile(
    sandbox.path('work.pg'),
    personSchema.replace('Person -> Person', 'Person -> Person @card(0..1)'),
  );
  await sandbox.run(['schema', 'apply', 'work.pg', ...store]);
  const person = (email: string) => `{"type":"Person","data":{"email":"${email}"}}\n`;
  const knows = (to: string) => `{"edge":"Knows","from":"ada","to":"${to}","data":{}}\n`;
  await sandbox.run(['ingest', ...store], {}, ['ada', 'bob', 'eve'].map(person).join(''));
  await sandbox.run(['ingest', '--branch', 'try', '--from', 'main', ...store], {}, knows('bob'));
  await sandbox.run(['ingest', ...store], {}, knows('eve'));
  const refused = await sandbox.run(['branch', 'merge', 'try', ...store]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    'cardinality_violation  node/Person/ada\n    It would have 2 Knows; the schema wants at most 1.',
  );
  expect(refused.stderr).toContain('fix one of the branches');
  expect(refused.stderr).not.toContain('--take');
});

describe('trust 38: what fails leaves no new database', () => {
  test.each([
    ['ingest of a line that is wrong', ['ingest', 'bad.ndjson']],
    ['ingest of a file that is not there', ['ingest', 'nowhere.ndjson']],
    ['ingest into a graph that is not there', ['ingest', 'good.ndjson', '--graph', 'other']],
    ['mutate on a branch that is not there', ['mutate', 'insert.gq', '--branch', 'nope']],
    ['import into a branch that is not there', ['import', 'memory.jsonl', '--branch', 'nope']],
  ])('%s', async (_, words) => {
    const folder = sandbox.path('fresh');
    await mkdir(folder);
    await writeFile(sandbox.path('bad.ndjson'), '{"type":"Note","data":{"name":"n"}}\n{broken\n');
    await writeFile(sandbox.path('good.ndjson'), '{"type":"Note","data":{"name":"n"}}\n');
    await writeFile(sandbox.path('insert.gq'), 'query q() { insert Note { name: "n" } }');
    await writeFile(
      sandbox.path('memory.jsonl'),
      '{"type":"entity","name":"A","entityType":"t","observations":[]}\n',
    );
    const { code, stderr } = await sandbox.run([...words, '--store', 'fresh/new.db']);
    expect(code).toBe(1);
    expect(stderr).not.toContain('.tmp');
    expect(await readdir(folder)).toEqual([]);
  });

  test('and what succeeds makes it, under its name alone', async () => {
    await mkdir(sandbox.path('fresh'));
    await writeFile(sandbox.path('good.ndjson'), '{"type":"Note","data":{"name":"n"}}\n');
    const made = await sandbox.run(['ingest', 'good.ndjson', '--store', 'fresh/new.db']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(sandbox.path('fresh'))).toEqual(['new.db']);
    const { stdout } = await sandbox.run(['export', '--store', 'fresh/new.db', '--format', 'graph']);
    expect(stdout).toContain('"n"');
  });
});

describe('trellis ingest and export --format graph', () => {
  test('lines go in and come out again', async () => {
    await sandbox.run(['schema', 'apply', 'work.pg', ...store]);
    const ingested = await sandbox.run(['ingest', 'people.ndjson', ...store]);
    expect(ingested.stdout).toMatch(/^Ingested 2 nodes, 1 edge into main\. Commit [0-9A-Z]{26}\n$/);
    expect((await sandbox.run(['ingest', ...store], {}, personLines)).stdout).toBe(
      'Nothing new: 2 nodes, 1 edge already stored.\n',
    );
    expect((await sandbox.run(['export', '--format', 'graph', ...store])).stdout).toBe(personLines);
    const json = await sandbox.run(
      ['ingest', '-', '--branch', 'new', '--from', 'main', '--json', ...store],
      {},
      '',
    );
    expect(JSON.parse(json.stdout)).toEqual({
      ...{ branch: 'new', branch_created: true, mode: 'merge', nodes: [], edges: [] },
      ...{ commit_id: null, graph_commit_id: null, commit: null },
    });
  });

  test('trust 4: provenance goes in and comes out again, without a schema too', async () => {
    const stamp = '"source":"hr","confidence":0.9,"last_updated":"2026-01-31T12:00:00.000Z"';
    const stamped = `{"type":"Person","id":"Ada","data":{"age":36},"provenance":{${stamp},"merge_keys":["name"],"properties":{"age":{${stamp}}}}}\n`;
    await sandbox.run(['ingest', ...store], {}, stamped);
    const exported = await sandbox.run(['export', '--format', 'graph', ...store]);
    expect(exported.stdout).toBe(stamped);
    expect(exported.stderr).not.toContain('provenance');
  });

  test('a file that is not there, a mode that is none and a wrong line are told', async () => {
    expect(await sandbox.run(['ingest', 'none', ...store])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Cannot read none'),
    });
    expect(await sandbox.run(['ingest', '--mode', 'x', ...store])).toMatchObject({ code: 2 });
    const wrong = '{"type":"person","data":{"name":"Ada"}}\n{';
    expect((await sandbox.run(['ingest', ...store], {}, wrong)).stderr).toContain('Line 2: it is not JSON');
  });

  test('a wrong line of a long file is named too', async () => {
    await writeFile(sandbox.path('long.ndjson'), `{\n${personLines.repeat(10_000)}`);
    expect((await sandbox.run(['ingest', 'long.ndjson', ...store])).stderr).toContain(
      'Line 1: it is not JSON',
    );
  });

  test('import, merge and undo of the command line are held to the schema', async () => {
    await sandbox.run(['schema', 'apply', 'work.pg', ...store]);
    await writeFile(
      sandbox.path('memory.jsonl'),
      '{"type":"entity","name":"x","entityType":"thing","observations":[]}\n',
    );
    expect(await sandbox.run(['import', 'memory.jsonl', ...store])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('SCHEMA_VIOLATION'),
    });
  });

  test('a copy has the schema and the same digest, and is held to it', async () => {
    await sandbox.run(['schema', 'apply', 'work.pg', ...store]);
    await sandbox.run(['ingest', 'people.ndjson', ...store]);
    const copied = await sandbox.run(['copy', '--from', 's.db', '--to', 'b.db']);
    expect(copied).toMatchObject({ code: 0 });
    expect((await sandbox.run(['export', '--format', 'graph', '--store', 'b.db'])).stdout).toBe(personLines);
    expect((await sandbox.run(['ingest', '--store', 'b.db'], {}, '{"type":"X","data":{}}')).stderr).toContain(
      'the schema has no node "X"',
    );
  });
});

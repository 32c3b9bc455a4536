import { mkdir, rm, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

const schema = `node Person { email: String @key  name: String?  age: I32?  born: Date?  tags: [String]? }
edge Knows: Person -> Person
`;
const find = `query find_user($email: String) {
  match { $p: Person { email: $email } }
  return { $p.email as email, $p.name as name, $p.age as age }
}
`;
const add = `query add($email: String, $name: String?, $age: I32?, $born: Date?, $tags: [String]?) {
  insert Person { email: $email, name: $name, age: $age, born: $born, tags: $tags }
}
`;

beforeEach(async () => {
  await mkdir(sandbox.path('queries'));
  await writeFile(sandbox.path('work.pg'), schema);
  await writeFile(sandbox.path('queries', 'find_user.gq'), find);
  await writeFile(sandbox.path('queries', 'add.gq'), add);
  await writeFile(
    sandbox.path('trellis.yaml'),
    `store: ./trellis.db
graphs:
  work:
    schema: work.pg
    queries:
      find_user: { file: queries/find_user.gq }
      add: { file: queries/add.gq }
`,
  );
});

const parsed = async (...args: string[]) => {
  const { code, stdout, stderr } = await sandbox.run([...args, '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
};

describe('trellis mutate and query', () => {
  test('run a stored query by its name, a file, a text and standard input', async () => {
    const added = await parsed(
      'mutate',
      'add',
      '--param',
      'email=ada',
      '--param',
      'age=36',
      '--param',
      'name=007',
    );
    expect(added).toMatchObject({ query_name: 'add', branch: 'main', affected_nodes: 1 });
    const answer = {
      row_count: 1,
      rows: [{ email: 'ada', name: '007', age: 36 }],
      commit_id: added['commit_id'],
    };
    expect(await parsed('query', 'find_user', '--params', '{"email": "ada"}')).toMatchObject(answer);
    expect(await parsed('query', 'queries/find_user.gq', '--param', '$email=ada')).toMatchObject(answer);
    expect(await parsed('query', find, '--param', 'email=ada')).toMatchObject(answer);
    const { stdout } = await sandbox.run(['query', '-', '--param', 'email=ada'], {}, find);
    expect(stdout).toBe('email  name  age\n-----  ----  ---\nada    007   36\n1 row\n');
  });

  test('values on the command line are read by the types that the query declares', async () => {
    const typed = ['--param', 'email=e', '--param', 'born=1815-12-10', '--param', 'tags=["a","b"]'];
    await parsed('mutate', 'add', ...typed);
    const read = 'query q() { match { $p: Person } return { $p.born as born, $p.tags as tags } }';
    expect(await parsed('query', read)).toMatchObject({ rows: [{ born: '1815-12-10', tags: ['a', 'b'] }] });
    const wrong = await sandbox.run(['mutate', 'add', '--param', 'email=e', '--param', 'age=old']);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--param age is not valid JSON'),
    });
  });

  test('branch and snapshot say what is read', async () => {
    const first = await parsed('mutate', 'add', '--param', 'email=a');
    await sandbox.run(['branch', 'create', 'draft']);
    await parsed('mutate', 'add', '--param', 'email=b', '--branch', 'draft');
    const count = 'query n() { match { $p: Person } return { count($p) as n } }';
    expect(await parsed('query', count)).toMatchObject({ rows: [{ n: 1 }] });
    expect(await parsed('query', count, '--branch', 'draft')).toMatchObject({ rows: [{ n: 2 }] });
    const snapshot = String(first['commit_id']);
    expect(await parsed('query', count, '--snapshot', snapshot)).toMatchObject({
      rows: [{ n: 1 }],
      target: { branch: null, snapshot },
    });
    expect(await sandbox.run(['query', count, '--snapshot', snapshot, '--branch', 'x'])).toMatchObject({
      code: 2,
    });
    expect(await sandbox.run(['query', count, '--branch', 'none'])).toMatchObject({ code: 1 });
  });

  test('what is wrong is said with its place, and exits with 1', async () => {
    await parsed('mutate', 'add', '--param', 'email=a');
    await writeFile(sandbox.path('bad.gq'), 'query q() {\n  match { $p: Persn }\n  return { $p }\n}');
    const bad = await sandbox.run(['query', 'bad.gq']);
    expect(bad).toMatchObject({ code: 1, stderr: expect.stringContaining('bad.gq:2:15: ') });
    expect(await sandbox.run(['query', 'find_usr'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "find_user"?'),
    });
    expect(await sandbox.run(['query', 'add', '--param', 'email=b'])).toMatchObject({ code: 1 });
  });

  test('a table cuts nothing that --json shows, and passes nothing on that would steer a terminal', async () => {
    await parsed('mutate', 'add', '--params', JSON.stringify({ email: `\u001b[31m${'x'.repeat(100)}` }));
    const read = 'query q() { match { $p: Person } return { $p.email as email } }';
    const { stdout } = await sandbox.run(['query', read]);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('…');
    expect(await parsed('query', read)).toMatchObject({ rows: [{ email: `\u001b[31m${'x'.repeat(100)}` }] });
  });

  test('--explain shows the plan', async () => {
    await parsed('mutate', 'add', '--param', 'email=a');
    const { stdout } = await sandbox.run(['query', 'find_user', '--param', 'email=a', '--explain']);
    expect(stdout).toContain('$p (Person)');
    expect(await parsed('query', 'find_user', '--param', 'email=a', '--explain')).toMatchObject({
      sql: expect.stringContaining('select'),
    });
  });

  test('schema apply refuses to break a stored query', async () => {
    await parsed('mutate', 'add', '--param', 'email=a');
    await writeFile(sandbox.path('next.pg'), schema.replace('age: I32?', ''));
    const refused = await sandbox.run(['schema', 'apply', 'next.pg', '--allow-data-loss']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The stored query find_user') });
  });
});

test('trellis doctor names stored queries that are broken', async () => {
  await parsed('mutate', 'add', '--param', 'email=a');
  expect(await sandbox.run(['doctor'])).toMatchObject({ code: 0 });
  await writeFile(sandbox.path('queries', 'find_user.gq'), find.replace('Person', 'Persn'));
  expect(await sandbox.run(['doctor'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('find_user.gq:2:15: There is no type Persn.'),
  });
});

describe('trellis lint', () => {
  test('checks schemas and queries of a folder, and is silent about what is right', async () => {
    expect(await sandbox.run(['lint', '.'])).toEqual({
      code: 0,
      stdout: '3 files: 0 errors, 0 warnings\n',
      stderr: '',
    });
  });

  test('names every problem with file, line and column, and exits with 1', async () => {
    await writeFile(
      sandbox.path('queries', 'bad.gq'),
      'query one() { match { $p: Persn } return { $p } }\nquery two($x: I32) { match { $p: Person } return { $p.nam } }\n',
    );
    await writeFile(
      sandbox.path('queries', 'odd.gq'),
      'query odd($unused: I32) { match { $p: Person } return { $p } }',
    );
    const { code, stdout } = await sandbox.run(['lint', '.']);
    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual([
      'queries/bad.gq:1:27: There is no type Persn. Did you mean "Person"?',
      expect.stringMatching(/^queries\/bad\.gq:2:\d+: .*Did you mean "name"\?$/),
      expect.stringMatching(/^queries\/odd\.gq:1:11: warning: .*unused/),
      '5 files: 2 errors, 1 warning',
      '',
    ]);
    const json = await sandbox.run(['lint', 'queries/bad.gq', '--schema', 'work.pg', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      files: 1,
      errors: 2,
      problems: [
        { file: 'queries/bad.gq', severity: 'error', code: 'unknown_type', line: 1, column: 27 },
        {},
      ],
    });
  });

  test('trust 26: warns of a vector that an exposed query would ask an agent for', async () => {
    const near = (name: string, mcp = '') =>
      `query ${name}($v: Vector(3)) ${mcp} { match { $n: Note } return { $n.name } order { nearest($n.taste, $v) } limit 3 }\n`;
    await mkdir(sandbox.path('vectors'));
    await writeFile(
      sandbox.path('vectors', 'notes.pg'),
      'node Note { name: String @key taste: Vector(3)? }\n',
    );
    await writeFile(
      sandbox.path('vectors', 'near.gq'),
      `${near('shown')}${near('hidden', '@mcp(expose: false)')}`,
    );
    const { code, stdout } = await sandbox.run(['lint', 'vectors']);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(
        /^vectors\/near\.gq:1:13: warning: As a tool, shown would ask for the vector \$v/,
      ),
      '2 files: 0 errors, 1 warning',
      '',
    ]);
    expect(code).toBe(0);
  });

  test('a schema that is wrong is told once, not again for each of its queries', async () => {
    await writeFile(sandbox.path('work.pg'), 'node Person { email: Strin @key }');
    const { code, stdout } = await sandbox.run(['lint', '.']);
    expect(code).toBe(1);
    expect(stdout).toContain('work.pg:1:22');
    expect(stdout).toContain('3 files: 1 error');
  });

  test('trust 31: a pattern that takes too long to try is an error', async () => {
    const pattern = `^${'.{0,1000}'.repeat(100)}$`;
    await writeFile(
      sandbox.path('work.pg'),
      `${schema}\nnode Code { code: String @key @check(code, "${pattern}") }`,
    );
    const { code, stdout } = await sandbox.run(['lint', 'work.pg']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/work\.pg:\d+:\d+: This pattern compiles to about 200\d{3} instructions/);
  });

  test('a single query, and a folder of queries, are held against the schema above them', async () => {
    await writeFile(sandbox.path('queries', 'find_user.gq'), find.replace('Person', 'Persn'));
    for (const path of ['queries/find_user.gq', 'queries', sandbox.path('queries', 'find_user.gq')]) {
      expect(await sandbox.run(['lint', path])).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('There is no type Persn. Did you mean "Person"?'),
      });
    }
    await writeFile(sandbox.path('second.pg'), schema);
    expect(await sandbox.run(['lint', 'queries'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--schema'),
    });
    expect(await sandbox.run(['lint', 'queries', 'second.pg'])).toMatchObject({ code: 1 });
  });

  test('without a schema queries are checked as on a graph without one', async () => {
    await rm(sandbox.path('work.pg'));
    expect(await sandbox.run(['lint', 'queries/find_user.gq'])).toMatchObject({ code: 0 });
  });

  test('refuses a file of another kind by its name', async () => {
    await writeFile(sandbox.path('registry.mjs'), 'export const registry = {};');
    expect(await sandbox.run(['lint', 'registry.mjs'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('registry.mjs is not a .pg, .gq or .schema.json file.'),
    });
  });

  test('refuses a folder that holds nothing, one that is not there, and one with two schemas', async () => {
    await mkdir(sandbox.path('empty'));
    expect(await sandbox.run(['lint', 'empty'])).toMatchObject({ code: 2 });
    expect(await sandbox.run(['lint', 'none'])).toMatchObject({ code: 2 });
    await writeFile(sandbox.path('second.pg'), schema);
    expect(await sandbox.run(['lint', '.'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--schema'),
    });
  });
});

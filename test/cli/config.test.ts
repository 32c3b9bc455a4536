import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/file/parse-config.js';
import { configLimits } from '../../src/model/limits.js';
import { callLines, toolAnswer, useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const create = callLines('create_entities', {
  entities: [{ name: 'Ann', entityType: 'person', observations: ['a'] }],
});
const read = callLines('read_graph', {});

const write = (text: string, name = 'trellis.yaml') => writeFile(sandbox.path(name), text);

describe('trellis config check', () => {
  test('prints what is in force, and where each value came from', async () => {
    await write('store: ./a.db\nserver: { port: 9000 }\ngraphs:\n  work:\n    surface: memory\n');
    const { code, stdout, stderr } = await sandbox.run(['config', 'check'], { TRELLIS_SERVER_HOST: '::1' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replace(/ {2,}/g, ' ').split('\n')).toEqual([
      `${sandbox.path('trellis.yaml')} is valid. In force are:`,
      '',
      ` config ${sandbox.path('trellis.yaml')} (the working directory)`,
      ` store ${sandbox.path('a.db')} (trellis.yaml:1)`,
      ' graph work (trellis.yaml:4)',
      ' surface memory (trellis.yaml:5)',
      ' server ::1:9000 (TRELLIS_SERVER_HOST, trellis.yaml:2)',
      ' schemas none (default)',
      ' gate schema none (default)',
      ' embedding local (default)',
      ' graphs.work.surface memory (trellis.yaml:5)',
      '',
    ]);
    expect(existsSync(sandbox.path('a.db'))).toBe(false);
  });

  test('for programs it is JSON, with every setting', async () => {
    await write('schemas: ./schemas\ngraphs: { work: { gate: { conflicts: keep } } }', 'other.yaml');
    const { code, stdout } = await sandbox.run(['config', 'check', 'other.yaml', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      file: sandbox.path('other.yaml'),
      settings: {
        config: { value: sandbox.path('other.yaml'), source: '--config' },
        schemas: { value: sandbox.path('schemas'), source: 'other.yaml:1' },
        gate_schema: { value: null, source: 'default' },
        gate: { conflicts: { value: null, source: 'default' } },
        graphs: {
          work: { source: 'other.yaml:2', gate: { conflicts: { value: 'keep', source: 'other.yaml:2' } } },
        },
      },
      warnings: [`${sandbox.path('schemas')} does not exist (other.yaml:1)`],
    });
  });

  test('shows what embeds and what drafts, from which perspectives, and no key', async () => {
    await write(
      `embedding:
  provider: ollama
  model: nomic-embed-text
  url: "http://u:hunter2@models.example:11434/"
  api_key_env: MODEL_KEY
  perspectives: [{ name: general, instruction: What this is about }]
llm: { provider: openai, model: small, url: "https://models.example/v1" }
graphs:
  kitchen:
    perspectives: [{ name: taste, instruction: What this tastes like }]
`,
      'models.yaml',
    );
    const env = { MODEL_KEY: 'secret-key' };
    const { stdout } = await sandbox.run(['config', 'check', 'models.yaml'], env);
    expect(stdout).toMatch(/embedding +ollama nomic-embed-text {2}\(models.yaml:2\)/);
    expect(stdout).toMatch(/ perspectives +general {2}\(models.yaml:6\)/);
    expect(stdout).toMatch(/graphs.kitchen.perspectives +general, taste {2}\(models.yaml:10\)/);
    const json = await sandbox.run(['config', 'check', 'models.yaml', '--json'], env);
    expect(`${stdout}${json.stdout}`).not.toMatch(/hunter2|secret-key/);
    expect(JSON.parse(json.stdout).settings).toMatchObject({
      embedding: {
        value: { provider: 'ollama', model: 'nomic-embed-text', url: 'http://models.example:11434/' },
        source: 'models.yaml:2',
      },
      perspectives: { value: [{ name: 'general' }] },
      llm: { value: { provider: 'openai', model: 'small' }, source: 'models.yaml:7' },
      graphs: { kitchen: { perspectives: { value: [{ name: 'general' }, { name: 'taste' }] } } },
    });
  });

  test('names every problem with file, line and column, and exits with 1', async () => {
    await write('stor: ./a.db\nserver:\n  port: http\n');
    const refused = await sandbox.run(['config', 'check']);
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `trellis: trellis.yaml has 2 problems:
  trellis.yaml:1:1: stor is not known in this version; did you mean store?
  trellis.yaml:3:9: server.port must be a number, not "http" [CONFIG_INVALID]
  Fix the file and check it with trellis config check; see docs/configuration.md.
`,
    });
    const json = await sandbox.run(['config', 'check', '--json']);
    expect(JSON.parse(json.stderr).error).toMatchObject({
      code: 'CONFIG_INVALID',
      details: {
        file: 'trellis.yaml',
        problems: [
          { line: 1, column: 1, message: expect.stringContaining('stor') },
          { line: 3, column: 9, message: expect.stringContaining('server.port') },
        ],
      },
    });
  });

  test('shows who may connect, under which policy and within which bounds, and what is not there', async () => {
    await write(`server: { public_url: "https://u:hunter2@m.example.com/", limits: { depth: 9 } }
auth:
  tokens: { file: t.json }
  oidc: { issuer: "https://login.example.com", audience: m, algorithms: [RS256, ES256] }
policy: { file: p.yaml }
graphs: { work: { policy: { file: w.cedar, protected_branches: [main] } } }
`);
    const { stdout } = await sandbox.run(['config', 'check']);
    expect(stdout).not.toContain('hunter2');
    const lines = stdout.replace(/ {2,}/g, ' ').split('\n');
    const shown = lines.filter((line) => /^ (server\.|auth|policy|graphs\.work\.policy)/.test(line));
    expect(shown).toEqual([
      ' server.public_url https://m.example.com/ (trellis.yaml:1)',
      ' server.limits.depth 9 (trellis.yaml:1)',
      ` auth.tokens.file ${sandbox.path('t.json')} (trellis.yaml:3)`,
      ' auth.oidc.issuer https://login.example.com (trellis.yaml:4)',
      ' auth.oidc.audience m (trellis.yaml:4)',
      ' auth.oidc.algorithms RS256, ES256 (trellis.yaml:4)',
      ` policy.file ${sandbox.path('p.yaml')} (trellis.yaml:5)`,
      ` graphs.work.policy.file ${sandbox.path('w.cedar')} (trellis.yaml:6)`,
      ' graphs.work.policy.protected_branches main (trellis.yaml:6)',
    ]);
    expect(lines.filter((line) => line.startsWith('warning:'))).toEqual([
      `warning: ${sandbox.path('t.json')} does not exist (trellis.yaml:3). Create it with: trellis token create --actor NAME --config ${sandbox.path('trellis.yaml')}`,
      `warning: ${sandbox.path('p.yaml')} does not exist (trellis.yaml:5)`,
      `warning: ${sandbox.path('w.cedar')} does not exist (trellis.yaml:6)`,
    ]);
    const { settings } = JSON.parse((await sandbox.run(['config', 'check', '--json'])).stdout);
    expect(settings['auth.tokens.file']).toEqual({ value: sandbox.path('t.json'), source: 'trellis.yaml:3' });
  });

  test('shows the schema and the stored queries of a graph, and which of their files are not there', async () => {
    await write(`mcp: { stored_query_tools: each }
graphs:
  work:
    schema: work.pg
    queries: { find_user: { file: find.gq, mcp: { expose: false } } }
`);
    await writeFile(sandbox.path('find.gq'), 'query find_user() { match { $u: User } return { $u.name } }');
    const { stdout } = await sandbox.run(['config', 'check']);
    const lines = stdout.replace(/ {2,}/g, ' ').split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        ' surface graph (trellis.yaml:4)',
        ' mcp.stored_query_tools each (trellis.yaml:1)',
        ` graphs.work.schema ${sandbox.path('work.pg')} (trellis.yaml:4)`,
        ` graphs.work.queries.find_user.file ${sandbox.path('find.gq')} (trellis.yaml:5)`,
        ' graphs.work.queries.find_user.mcp.expose false (trellis.yaml:5)',
      ]),
    );
    expect(lines.filter((line) => line.startsWith('warning:'))).toEqual([
      `warning: ${sandbox.path('work.pg')} does not exist (trellis.yaml:4)`,
    ]);
  });

  describe('a file that the configuration names and that is wrong', () => {
    const people = 'node Person {\n  name: String @key\n}\n';
    const find = (type: string) => `query find() {\n  match { $p: ${type} }\n  return { $p.name }\n}\n`;
    const withFiles = async (schema: string, query: string) => {
      await write('graphs:\n  work:\n    schema: work.pg\n    queries: { find: { file: find.gq } }\n');
      await write(schema, 'work.pg');
      await write(query, 'find.gq');
    };

    test.each([
      ['is that of a tool', 'query', 'would be a tool of the same name as the built-in tool query'],
      ['is too long', 'q'.repeat(72), `cannot be a tool named "${'q'.repeat(72)}"`],
    ])('trust 26: a stored query whose name %s is refused, as trellis serve does', async (_, name, why) => {
      await write(`graphs:\n  work:\n    queries: { ${name}: { file: q.gq } }\n`);
      await write(`query ${name}() {\n  match { $p: Person }\n  return { $p.name }\n}\n`, 'q.gq');
      for (const command of [['config', 'check'], ['serve', '--port', '0'], ['doctor']]) {
        const { code, stdout, stderr } = await sandbox.run(command);
        expect(code).toBe(1);
        expect(`${stdout}${stderr}`).toContain(`The stored query ${name} (trellis.yaml:3) ${why}`);
      }
      await write(`graphs:\n  work:\n    queries: { ${name}: { file: q.gq, mcp: { tool_name: people } } }\n`);
      expect((await sandbox.run(['config', 'check'])).code).toBe(0);
    });

    test.each([
      ['policy.yaml', 'version: 2\nrules: []\n', 'the version of a policy must be 1'],
      ['tokens.json', '{ "ann": "sha256:12" }', 'the token of ann is neither sha256:'],
    ])('trust 26: a %s that is broken is refused, as trellis serve does', async (file, text, why) => {
      await write('auth: { tokens: { file: tokens.json } }\npolicy: { file: policy.yaml }\n');
      await write('{}', 'tokens.json');
      await write('version: 1\nrules: []\n', 'policy.yaml');
      expect((await sandbox.run(['config', 'check'])).code).toBe(0);
      await write(text, file);
      for (const command of [
        ['config', 'check'],
        ['serve', '--port', '0'],
      ]) {
        const { code, stderr } = await sandbox.run(command);
        expect(code).toBe(1);
        expect(stderr).toContain(why);
      }
    });

    test.each([
      [
        'a schema',
        people.replace('String', 'Sting'),
        find('Person'),
        'work.pg:2:9: Unknown value type Sting. Did you mean "String"?',
      ],
      [
        'a query, against the schema',
        people,
        find('Persn'),
        'find.gq:2:15: There is no type Persn. Did you mean "Person"?',
      ],
      [
        'a query, in itself',
        people,
        'query find',
        'find.gq:1:11: Expected "(", but found the end of the text.',
      ],
    ])('%s: is told with its line, and the exit code is 1', async (_, schema, query, problem) => {
      await withFiles(schema, query);
      const told = `${sandbox.path(problem)}`;
      const refused = await sandbox.run(['config', 'check']);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain(`files it names are not:\n  ${told} [CONFIG_INVALID]\n  Fix them`);
      const json = await sandbox.run(['config', 'check', '--json']);
      expect(JSON.parse(json.stderr).error).toMatchObject({
        code: 'CONFIG_INVALID',
        details: { file: sandbox.path('trellis.yaml'), problems: [told] },
      });
      const doctor = await sandbox.run(['doctor']);
      expect(doctor.code).toBe(1);
      expect(doctor.stdout).toContain(`problem: ${told}\n`);
    });

    test('a query that its file does not hold', async () => {
      await withFiles(people, find('Person').replace('find', 'fnd'));
      const { stderr } = await sandbox.run(['config', 'check']);
      expect(stderr).toContain('has no query find. Did you mean "fnd"?');
    });

    test('without a schema in the configuration, the graph may have any, so only the text of a query counts', async () => {
      await withFiles(people, find('Anything'));
      await write('graphs: { work: { queries: { find: { file: find.gq } } } }');
      expect((await sandbox.run(['config', 'check'])).code).toBe(0);
      await write('query find', 'find.gq');
      expect((await sandbox.run(['config', 'check'])).stderr).toContain('find.gq:1:11');
    });

    test('a schema file of the mesh surface, and one of the gate', async () => {
      await mkdir(sandbox.path('schemas'));
      await write('{"name": "npc"}', 'schemas/npc.schema.json');
      await write('nodez: []', 'gate.yaml');
      await write('schemas: schemas\ngate: { registry: gate.yaml }');
      const { code, stderr } = await sandbox.run(['config', 'check']);
      expect(code).toBe(1);
      expect(stderr).toContain(`${sandbox.path('schemas', 'npc.schema.json')}: name`);
      expect(stderr).toContain('gate.yaml');
      expect(stderr).toContain('nodez');
    });

    test('all of them are right', async () => {
      await withFiles(people, find('Person'));
      expect((await sandbox.run(['config', 'check'])).code).toBe(0);
    });
  });

  test('a password in the store is not shown', async () => {
    await write('store: postgres://ann:hunter2@db.example.com/trellis');
    for (const args of [
      ['config', 'check'],
      ['config', 'check', '--json'],
    ]) {
      const { stdout } = await sandbox.run(args);
      expect(stdout).toContain('postgres://ann@db.example.com/trellis');
      expect(stdout).not.toContain('hunter2');
    }
  });

  test('no file at all is refused, with the command that writes one', async () => {
    const { code, stderr } = await sandbox.run(['config', 'check']);
    expect(code).toBe(1);
    expect(stderr).toContain('There is no trellis.yaml in the working directory');
    expect(stderr).toContain('trellis init');
  });
});

describe('a file that cannot be read', () => {
  test.each([
    ['is not there', async () => {}, 'cannot be read: it does not exist'],
    ['is a folder', () => mkdir(sandbox.path('c.yaml')), 'is not a file'],
    [
      'is too large',
      () => write(`#${'x'.repeat(configLimits.fileBytes)}`, 'c.yaml'),
      `has more than ${configLimits.fileBytes} bytes`,
    ],
    [
      'is no text',
      () => writeFile(sandbox.path('c.yaml'), Buffer.from([0x73, 0xff, 0xfe])),
      'is not UTF-8 text',
    ],
    [
      'is a link to nowhere',
      () => symlink('nowhere', sandbox.path('c.yaml')),
      'cannot be read: it does not exist',
    ],
  ])('because it %s stops every command', async (_, make, problem) => {
    await make();
    for (const args of [
      ['stdio', '--config', 'c.yaml'],
      ['doctor', '--config', 'c.yaml'],
    ]) {
      const { code, stdout, stderr } = await sandbox.run(args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`c.yaml: ${problem} [CONFIG_INVALID]`);
    }
  });

  test('a link of the working directory that leads nowhere is no reason to go on without', async () => {
    await symlink('nowhere', sandbox.path('trellis.yaml'));
    expect((await sandbox.run(['doctor'])).code).toBe(1);
  });
});

describe('the configuration at work', () => {
  test('stdio: the store, and the one graph, which is made', async () => {
    await write('store: data/a.db\ngraphs: { work: }');
    const { code, stdout, stderr } = await sandbox.run(['stdio'], {}, create);
    expect(code).toBe(0);
    expect(toolAnswer(stdout)).toMatchObject({ entities: [{ name: 'Ann' }] });
    expect(stderr).toBe(`trellis: the data is in ${sandbox.path('data', 'a.db')}, graph work\n`);
    const { stdout: listed } = await sandbox.run(['graph', 'list']);
    expect(listed).toBe('work\n');
  });

  test('a file elsewhere, named by flag or variable; its paths start from it', async () => {
    await mkdir(sandbox.path('etc'));
    await write('store: a.db', 'etc/t.yaml');
    await sandbox.run(['stdio', '--config', 'etc/t.yaml'], {}, create);
    const { stdout } = await sandbox.run(['stdio'], { TRELLIS_CONFIG: 'etc/t.yaml' }, read);
    expect(toolAnswer(stdout)).toMatchObject({ entities: [{ name: 'Ann' }] });
    expect(existsSync(sandbox.path('etc', 'a.db'))).toBe(true);
  });

  test('every graph it names is made, and agents are told of no other', async () => {
    await write('store: a.db\ngraphs: { work: , home: , default: }');
    await sandbox.run(['stdio'], {}, create);
    expect((await sandbox.run(['graph', 'list'])).stdout).toBe('default\nhome\nwork\n');
    const { stdout } = await sandbox.run(['stdio', '--graph', 'home'], {}, read);
    expect(toolAnswer(stdout)).toEqual({ entities: [], relations: [] });
    const refused = await sandbox.run(['stdio', '--graph', 'other']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('It has: default, home, work.');
  });

  test('a graph default that it does not name is not made', async () => {
    await write('store: a.db\ngraphs: { work: }');
    const refused = await sandbox.run(['stdio', '--graph', 'default']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('There is no graph default')]);
  });

  test('a graph that its store cannot hold is refused', async () => {
    await write('store: a.jsonl\ngraphs: { work: }');
    const refused = await sandbox.run(['stdio']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('[CAPABILITY_MISSING]')]);
  });

  test('doctor: a graph that will be made is no problem', async () => {
    await write('store: a.db');
    await sandbox.run(['stdio'], {}, create);
    await write('store: a.db\ngraphs: { work: }');
    const { code, stdout } = await sandbox.run(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toContain('work  (trellis.yaml:2)');
  });

  test('import, export and backup find its store', async () => {
    await write('store: a.db');
    await sandbox.run(['stdio'], {}, create);
    const { stdout } = await sandbox.run(['export']);
    await write(stdout, 'm.jsonl');
    expect((await sandbox.run(['import', 'm.jsonl'])).stdout).toContain('1 unchanged');
    expect((await sandbox.run(['backup', 'b.db'])).code).toBe(0);
    expect(existsSync(sandbox.path('data'))).toBe(false);
  });
});

describe('trellis init', () => {
  test('writes a file that says nothing yet, and says where', async () => {
    const { code, stdout } = await sandbox.run(['init']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Wrote ${sandbox.path('trellis.yaml')}\n`);
    expect(parseConfig(await readFile(sandbox.path('trellis.yaml'), 'utf8'), 'trellis.yaml').content).toEqual(
      {},
    );
    await mkdir(sandbox.path('sub'));
    const json = await sandbox.run(['init', 'sub', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ written: [sandbox.path('sub', 'trellis.yaml')] });
  });

  test('never replaces a file, not even a link that leads nowhere', async () => {
    await write('store: mine.db');
    const refused = await sandbox.run(['init']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('already exists')]);
    expect(await readFile(sandbox.path('trellis.yaml'), 'utf8')).toBe('store: mine.db');
    await mkdir(sandbox.path('sub'));
    await symlink('../elsewhere.yaml', sandbox.path('sub', 'trellis.yaml'));
    expect((await sandbox.run(['init', 'sub'])).code).toBe(1);
    expect(existsSync(sandbox.path('elsewhere.yaml'))).toBe(false);
  });

  test('a folder that is not there is refused', async () => {
    const refused = await sandbox.run(['init', 'nowhere']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Cannot write')]);
  });
});

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

test('init copies a set of schemas, which are valid', async () => {
  const made = await sandbox.run(['init', '--schemas', 'work']);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain(
    `Copied 7 schema files to ${sandbox.path('schemas')}: decision.schema.json, `,
  );
  expect(made.stdout).toContain('trellis lint schemas');
  const checked = await sandbox.run(['lint', 'schemas']);
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  expect(checked.stdout).toMatch(
    /^schemas\/decision\.schema\.json: add_decision, update_decision, delete_decision\n {2}9 properties, 3 relationships, about \d+ tokens\n/,
  );
  expect(checked.stdout).toMatch(/7 files: 0 errors, 0 warnings\n$/);
});

test('init copies into any folder, and answers in JSON', async () => {
  const { code, stdout } = await sandbox.run(['init', 'deep/er', '--schemas', 'rpg', '--json']);
  expect(code).toBe(0);
  const answer = JSON.parse(stdout);
  expect(answer).toMatchObject({ set: 'rpg', folder: sandbox.path('deep', 'er') });
  expect(await readdir(sandbox.path('deep', 'er'))).toEqual(answer.files);
  expect(answer.files).toHaveLength(11);
});

test('init touches no file that is there, and copies none then', async () => {
  await mkdir(sandbox.path('schemas'));
  await writeFile(sandbox.path('schemas', 'task.schema.json'), 'mine');
  const { code, stderr } = await sandbox.run(['init', '--schemas', 'work', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining('already has these files: task.schema.json.'),
    details: { files: ['task.schema.json'] },
  });
  expect(await readdir(sandbox.path('schemas'))).toEqual(['task.schema.json']);
  expect(await readFile(sandbox.path('schemas', 'task.schema.json'), 'utf8')).toBe('mine');
});

test('init into what is no folder is refused', async () => {
  await writeFile(sandbox.path('schemas'), '');
  const { code, stderr } = await sandbox.run(['init', '--schemas', 'work']);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^trellis: Cannot copy the schemas to .* \[INVALID_ARGUMENT\]\n {2}Nothing was copied\./,
  );
});

test.each([
  ['a set that is none', ['init', '--schemas', 'x'], /Allowed choices are rpg, work\./],
  ['an unknown subcommand', ['schema', 'aply', 'x'], /Unknown command 'aply'/],
])('%s is wrong usage', async (_, args, message) => {
  const { code, stdout, stderr } = await sandbox.run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

async function writeBrokenSchemas(): Promise<void> {
  await mkdir(sandbox.path('schemas'));
  const content = { name: 'add_npc', description: 'x', properties: {}, colour: 'green' };
  await writeFile(sandbox.path('schemas', 'a.schema.json'), JSON.stringify(content));
  await writeFile(sandbox.path('schemas', 'b.schema.json'), JSON.stringify({ ...content, name: 'npc' }));
  await writeFile(sandbox.path('schemas', 'c.schema.json'), '{');
}

const npc = {
  type: 'npc',
  tools: ['add_npc', 'update_npc', 'delete_npc'],
  properties: 1,
  relationships: 0,
  tokens: expect.any(Number),
};

test('lint reports every problem and warning of mesh schemas, and fails', async () => {
  await writeBrokenSchemas();
  const people = await sandbox.run(['lint', '.']);
  expect(people).toMatchObject({ code: 1, stderr: '' });
  expect(people.stdout.split('\n')).toEqual([
    'schemas/a.schema.json: add_npc, update_npc, delete_npc',
    expect.stringMatching(/^ {2}1 property, 0 relationships, about \d+ tokens$/),
    expect.stringMatching(/^schemas\/b\.schema\.json: name is "npc"; it must be /),
    expect.stringMatching(/^schemas\/c\.schema\.json: is not JSON: /),
    expect.stringMatching(/^schemas\/a\.schema\.json: warning: colour is unknown/),
    '3 files: 2 errors, 1 warning',
    '',
  ]);
  const programs = await sandbox.run(['lint', 'schemas', '--json']);
  expect(JSON.parse(programs.stdout)).toMatchObject({
    ...{ ok: false, files: 3, errors: 2, warnings: 1 },
    schemas: [{ file: 'schemas/a.schema.json', ...npc }],
    problems: [
      { file: 'schemas/b.schema.json', severity: 'error', code: 'mesh_schema', message: expect.any(String) },
      { file: 'schemas/c.schema.json', severity: 'error' },
      { file: 'schemas/a.schema.json', severity: 'warning' },
    ],
  });
});

test('lint of a single mesh schema knows the others of its folder, and is silent about them', async () => {
  await writeBrokenSchemas();
  const relationship = { edgeType: 'is_at', nodeType: 'npc' };
  await writeFile(
    sandbox.path('schemas', 'd.schema.json'),
    JSON.stringify({
      name: 'add_place',
      description: 'x',
      properties: { owner: { type: 'string', description: 'x', relationship } },
    }),
  );
  const { code, stdout } = await sandbox.run(['lint', 'schemas/d.schema.json']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^schemas\/d\.schema\.json: add_place, .*\n {2}2 properties.*\n1 file: 0 errors, 0 warnings\n$/,
  );
});

test('schema check is the old spelling, and keeps its output for programs', async () => {
  await writeBrokenSchemas();
  const { code, stdout, stderr } = await sandbox.run(['schema', 'check', 'schemas', '--json']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'trellis: trellis schema check is now trellis lint\n',
  });
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    folder: sandbox.path('schemas'),
    schemas: [{ file: 'a.schema.json', ...npc }],
    tokens: expect.any(Number),
    warnings: [expect.stringContaining('colour is unknown')],
    problems: [
      { file: 'b.schema.json', path: 'name', reason: expect.any(String) },
      { file: 'c.schema.json', path: '', reason: expect.stringContaining('is not JSON') },
    ],
  });
});

test('schema show prints the schema of a graph', async () => {
  await writeFile(sandbox.path('work.pg'), 'node Person { name: String @key }\n');
  await sandbox.run(['graph', 'create', 'work', '--store', 'a.db']);
  const work = ['--store', 'a.db', '--graph', 'work'];
  expect(await sandbox.run(['schema', 'show', ...work])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The graph work has no schema. [NOT_FOUND]'),
  });
  await sandbox.run(['schema', 'apply', 'work.pg', ...work]);
  expect((await sandbox.run(['schema', 'show', ...work])).stdout).toBe('node Person { name: String @key }\n');
});

test('schema check says that a folder has no mesh schemas', async () => {
  await mkdir(sandbox.path('schemas'));
  const { code, stdout } = await sandbox.run(['schema', 'check', 'schemas']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${sandbox.path('schemas')} has no mesh schemas (.schema.json).\n`,
  });
  const { stdout: json } = await sandbox.run(['schema', 'check', 'schemas', '--json']);
  expect(JSON.parse(json)).toMatchObject({ ok: true, schemas: [], tokens: 0 });
});

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

test('init copies a set of schemas, which are sound', async () => {
  const made = await sandbox.run(['init', '--schemas', 'work']);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain(
    `Copied 7 schema files to ${sandbox.path('schemas')}: decision.schema.json, `,
  );
  expect(made.stdout).toContain('trellis schema check schemas');
  const checked = await sandbox.run(['schema', 'check', 'schemas']);
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  expect(checked.stdout).toMatch(
    /^decision\.schema\.json: add_decision, update_decision, delete_decision\n {2}9 properties, 3 relationships, about \d+ tokens\n/,
  );
  expect(checked.stdout).toMatch(/schemas: 7 schemas, 21 tools, about \d+ tokens in the list of tools\n$/);
  expect(checked.stdout).not.toMatch(/warning|problem/);
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
    message: expect.stringContaining('has files of these names already: task.schema.json.'),
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
    /^trellis: The schemas cannot be copied to .* \[INVALID_ARGUMENT\]\n {2}Nothing was copied\./,
  );
});

test.each([
  ['a set that is none', ['init', '--schemas', 'x'], /Allowed choices are rpg, work\./],
  ['no folder to check', ['schema', 'check'], /Missing required argument 'folder'/],
  ['an unknown subcommand', ['schema', 'chekc', 'x'], /Unknown command 'chekc'/],
])('%s is wrong usage', async (_, args, message) => {
  const { code, stdout, stderr } = await sandbox.run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test('check tells every problem and warning, and fails', async () => {
  await mkdir(sandbox.path('schemas'));
  const content = { name: 'add_npc', description: 'x', properties: {}, colour: 'green' };
  await writeFile(sandbox.path('schemas', 'a.schema.json'), JSON.stringify(content));
  await writeFile(sandbox.path('schemas', 'b.schema.json'), JSON.stringify({ ...content, name: 'npc' }));
  await writeFile(sandbox.path('schemas', 'c.schema.json'), '{');
  const people = await sandbox.run(['schema', 'check', 'schemas']);
  expect(people).toMatchObject({ code: 1, stderr: '' });
  expect(people.stdout.split('\n')).toEqual([
    'a.schema.json: add_npc, update_npc, delete_npc',
    expect.stringMatching(/^ {2}1 property, 0 relationships, about \d+ tokens$/),
    'warning: a.schema.json: colour is not known and is passed over; known are: $schema, name, description, properties, additionalProperties',
    'problem: b.schema.json: name is "npc"; it must be "add_" and the type of node, as in "add_npc"',
    expect.stringMatching(/^problem: c\.schema\.json is not JSON: /),
    expect.stringMatching(/schemas: 1 schema, 3 tools, about \d+ tokens in the list of tools, 2 problems$/),
    '',
  ]);
  const programs = await sandbox.run(['schema', 'check', 'schemas', '--json']);
  expect(programs.code).toBe(1);
  expect(JSON.parse(programs.stdout)).toEqual({
    ok: false,
    folder: sandbox.path('schemas'),
    schemas: [
      {
        file: 'a.schema.json',
        type: 'npc',
        tools: ['add_npc', 'update_npc', 'delete_npc'],
        properties: 1,
        relationships: 0,
        tokens: expect.any(Number),
      },
    ],
    tokens: expect.any(Number),
    warnings: [expect.stringContaining('colour is not known')],
    problems: [
      { file: 'b.schema.json', path: 'name', reason: expect.any(String) },
      { file: 'c.schema.json', path: '', reason: expect.stringContaining('is not JSON') },
    ],
  });
});

test('check of a folder that is not there says so', async () => {
  const { code, stderr } = await sandbox.run(['schema', 'check', 'none']);
  expect(code).toBe(1);
  expect(stderr).toContain('[SCHEMA_SOURCE_UNAVAILABLE]');
});

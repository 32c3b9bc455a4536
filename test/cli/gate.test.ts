import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { callLines, toolAnswer, useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const store = ['--store', 'a.db'];
const person = { merge_keys: { name: 'Ada' }, properties: {}, source: 'test', extraction_method: 'manual' };

async function write(args: object): Promise<unknown> {
  const { stdout } = await sandbox.run(
    ['stdio', '--surface', 'gate', ...store],
    {},
    callLines('write_node', args),
  );
  return toolAnswer(stdout);
}

test('a schema is added to, listed and taken back', async () => {
  const added = [
    'Person',
    '--required',
    'name',
    '--absorbs',
    'person, User',
    '--type',
    'age:integer',
    'x:map',
  ];
  expect(await sandbox.run(['schema', 'add', ...added, ...store])).toEqual({
    code: 0,
    stdout: 'Added Person in the schema of the graph default\n',
    stderr: '',
  });
  await sandbox.run([
    'schema',
    'add',
    ':KNOWS',
    '--relationship',
    '--from',
    'Person',
    '--to',
    'Person',
    ...store,
  ]);
  const changed = await sandbox.run(['schema', 'add', 'Person', '--absorbs', 'Human', '--json', ...store]);
  expect(JSON.parse(changed.stdout)).toMatchObject({ name: 'Person', outcome: 'changed' });
  const { stdout } = await sandbox.run(['schema', 'list', ...store]);
  expect(stdout.split('\n')).toEqual([
    'Person  requires name; types age:integer, x:map; absorbs person, User, Human',
    'KNOWS  from Person to Person',
    '',
  ]);
  await sandbox.run(['schema', 'remove', 'KNOWS', ...store]);
  const listed = JSON.parse((await sandbox.run(['schema', 'list', '--json', ...store])).stdout);
  expect(listed).toEqual({
    nodes: [
      {
        label: 'Person',
        required_properties: ['name'],
        remaps_from: ['person', 'User', 'Human'],
        property_types: { age: 'integer', x: 'map' },
      },
    ],
    relationships: [],
  });
});

test('what could not be right is refused and changes nothing', async () => {
  await sandbox.run(['schema', 'add', 'Person', '--absorbs', 'User', ...store]);
  for (const [args, code] of [
    [['add', 'Dog', '--absorbs', 'User'], 1],
    [['add', 'Schema'], 1],
    [['add', 'Dog', '--required', 'confidence'], 1],
    [['add', 'Person', '--relationship'], 1],
    [['add', 'Dog', '--type', 'age:int'], 2],
    [['add', 'Dog', '--from', 'Person'], 2],
    [['remove', 'Dog'], 1],
  ] as const) {
    expect([args, (await sandbox.run(['schema', ...args, ...store])).code]).toEqual([args, code]);
  }
  expect((await sandbox.run(['schema', 'list', ...store])).stdout).toBe('Person  absorbs User\n');
});

test('a file of JSON lines holds no schema', async () => {
  const { code, stderr } = await sandbox.run(['schema', 'add', 'Person', '--store', 'a.jsonl']);
  expect(code).toBe(1);
  expect(stderr).toContain('trellis import');
});

test('the gate judges by the schema in the graph', async () => {
  await sandbox.run(['schema', 'add', 'Person', '--type', 'age:integer', ...store]);
  expect(await write({ ...person, label: 'Person' })).toMatchObject({ status: 'written', confidence: 0.375 });
  expect(await write({ ...person, label: 'Dog' })).toMatchObject({ error_code: 'SCHEMA_UNKNOWN_LABEL' });
});

test('a schema that is listed is a schema file', async () => {
  await sandbox.run(['schema', 'add', 'Person', '--type', 'age:integer', ...store]);
  const { stdout } = await sandbox.run(['schema', 'list', '--json', ...store]);
  await writeFile(sandbox.path('gate.json'), stdout);
  const { code } = await sandbox.run(['gate', 'drift', '--gate-schema', 'gate.json', ...store]);
  expect(code).toBe(0);
});

test('what the gate turned away is listed, by time and by code', async () => {
  await sandbox.run(['schema', 'add', 'Person', ...store]);
  await write({ ...person, label: 'Persn' });
  await write({ ...person, label: 'Person', properties: { confidence: 1 } });
  const list = async (...args: string[]) =>
    JSON.parse((await sandbox.run(['gate', 'rejections', '--json', ...args, ...store])).stdout).rejections;
  expect(await list()).toMatchObject([
    { code: 'SCHEMA_PROTECTED_FIELD', tool: 'write_node', time: expect.stringMatching(/Z$/) },
    { code: 'SCHEMA_UNKNOWN_LABEL', arguments: { label: 'Persn' } },
  ]);
  expect(await list('--code', 'SCHEMA_UNKNOWN_LABEL')).toHaveLength(1);
  expect(await list('--since', '1h', '--limit', '1')).toHaveLength(1);
  expect(await list('--since', '2999-01-01')).toEqual([]);
  const { stdout } = await sandbox.run(['gate', 'rejections', ...store]);
  expect(stdout).toMatch(/SCHEMA_UNKNOWN_LABEL {2}write_node by .+\n {2}Not in the schema: label "Persn"/);
  for (const wrong of [
    ['--since', 'yesterday'],
    ['--code', 'NOPE'],
    ['--limit', '0'],
  ])
    expect((await sandbox.run(['gate', 'rejections', ...wrong, ...store])).code).toBe(2);
});

test('drift counts what agents try and the schema does not know, and says how to let it in', async () => {
  await sandbox.run(['schema', 'add', 'Person', '--required', 'name', ...store]);
  await sandbox.run(['schema', 'add', 'KNOWS', '--relationship', ...store]);
  await write({ ...person, label: 'Persn' });
  await write({ ...person, label: ':Persn' });
  await write({ ...person, label: 'Spaceship' });
  await write({ ...person, label: 'Person', properties: { nickname: 'A' } });
  const json = JSON.parse((await sandbox.run(['gate', 'drift', '--json', ...store])).stdout);
  expect(json).toEqual({
    graph: 'default',
    labels: [
      { name: 'Persn', count: 2, suggested: 'Person' },
      { name: 'Spaceship', count: 1 },
    ],
    relationship_types: [],
    properties: [{ label: 'Person', property: 'nickname', count: 1 }],
  });
  const { stdout } = await sandbox.run(['gate', 'drift', ...store]);
  expect(stdout).toContain('trellis schema add Person --absorbs Persn\n');
  await sandbox.run(['schema', 'add', 'Person', '--absorbs', 'Persn', '--type', 'nickname:string', ...store]);
  const after = JSON.parse((await sandbox.run(['gate', 'drift', '--json', ...store])).stdout);
  expect([after.labels, after.properties]).toEqual([[{ name: 'Spaceship', count: 1 }], []]);
});

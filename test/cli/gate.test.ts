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

test('labels and relationship types are added to the registry, listed and removed', async () => {
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
  expect(await sandbox.run(['gate', 'schema', 'add', ...added, ...store])).toEqual({
    code: 0,
    stdout: 'Added Person to the gate registry of the graph default\n',
    stderr: '',
  });
  await sandbox.run([
    'gate',
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
  const changed = await sandbox.run([
    'gate',
    'schema',
    'add',
    'Person',
    '--absorbs',
    'Human',
    '--json',
    ...store,
  ]);
  expect(JSON.parse(changed.stdout)).toMatchObject({ name: 'Person', outcome: 'changed' });
  const { stdout } = await sandbox.run(['gate', 'schema', 'list', ...store]);
  expect(stdout.split('\n')).toEqual([
    'Person  requires name; types age:integer, x:map; absorbs person, User, Human',
    'KNOWS  from Person to Person',
    '',
  ]);
  await sandbox.run(['gate', 'schema', 'remove', 'KNOWS', ...store]);
  const listed = JSON.parse((await sandbox.run(['gate', 'schema', 'list', '--json', ...store])).stdout);
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

test('removing a label names the relationship types that still connect it', async () => {
  const registry = (...args: string[]) => sandbox.run(['gate', 'schema', ...args, ...store]);
  for (const label of ['Person', 'Dog']) await registry('add', label);
  await registry('add', 'KNOWS', '--relationship', '--from', 'Person', '--to', ':Person');
  await registry('add', 'OWNS', '--relationship', '--from', 'Person', '--to', 'Dog');
  expect((await registry('remove', 'Dog')).stdout).toBe(
    'Removed Dog from the gate registry of the graph default\n' +
      'warning: OWNS still names Dog: remove it, or add Dog again.\n',
  );
  expect(JSON.parse((await registry('remove', 'Person', '--json')).stdout)).toEqual({
    name: 'Person',
    outcome: 'removed',
    graph: 'default',
    warnings: ['KNOWS, OWNS still name Person: remove them, or add Person again.'],
  });
  expect((await registry('remove', 'OWNS')).stdout).toBe(
    'Removed OWNS from the gate registry of the graph default\n',
  );
});

test('the old spellings work, are hidden, and name the new ones', async () => {
  for (const [args, stdout] of [
    [['add', 'Person'], 'Added Person to the gate registry of the graph default\n'],
    [['list'], 'Person\n'],
    [['remove', 'Person'], 'Removed Person from the gate registry of the graph default\n'],
  ] as const)
    expect(await sandbox.run(['schema', ...args, ...store])).toEqual({
      code: 0,
      stdout,
      stderr: `trellis: trellis schema ${args[0]} is now trellis gate schema ${args[0]}\n`,
    });
  const { stdout: help } = await sandbox.run(['schema', '--help']);
  expect(help).not.toMatch(/^ {2}(add|list|remove|check)/m);
  expect(help).toMatch(/^ {2}(plan|apply|show)/m);
});

test('invalid entries are refused and change nothing', async () => {
  await sandbox.run(['gate', 'schema', 'add', 'Person', '--absorbs', 'User', ...store]);
  for (const [args, code] of [
    [['add', 'Dog', '--absorbs', 'User'], 1],
    [['add', 'Schema'], 1],
    [['add', 'Dog', '--required', 'confidence'], 1],
    [['add', 'Person', '--relationship'], 1],
    [['add', 'Dog', '--type', 'age:int'], 2],
    [['add', 'Dog', '--from', 'Person'], 2],
    [['remove', 'Dog'], 1],
  ] as const) {
    expect([args, (await sandbox.run(['gate', 'schema', ...args, ...store])).code]).toEqual([args, code]);
  }
  expect((await sandbox.run(['gate', 'schema', 'list', ...store])).stdout).toBe('Person  absorbs User\n');
});

test('a JSON lines file cannot hold a registry', async () => {
  const { code, stderr } = await sandbox.run(['gate', 'schema', 'add', 'Person', '--store', 'a.jsonl']);
  expect(code).toBe(1);
  expect(stderr).toContain('trellis import');
});

test('the gate checks writes against the registry in the graph', async () => {
  await sandbox.run(['gate', 'schema', 'add', 'Person', '--type', 'age:integer', ...store]);
  expect(await write({ ...person, label: 'Person' })).toMatchObject({ status: 'written', confidence: 0.375 });
  expect(await write({ ...person, label: 'Dog' })).toMatchObject({ error_code: 'SCHEMA_UNKNOWN_LABEL' });
});

test('a listed registry is a registry file', async () => {
  await sandbox.run(['gate', 'schema', 'add', 'Person', '--type', 'age:integer', ...store]);
  const { stdout } = await sandbox.run(['gate', 'schema', 'list', '--json', ...store]);
  await writeFile(sandbox.path('gate.json'), stdout);
  const { code } = await sandbox.run(['gate', 'drift', '--gate-schema', 'gate.json', ...store]);
  expect(code).toBe(0);
});

test('a rejected write cannot control the terminal', async () => {
  await sandbox.run(['gate', 'schema', 'add', 'Person', ...store]);
  await write({ ...person, label: 'Per\u001b[31m\u009bson\u202e' });
  const { stdout } = await sandbox.run(['gate', 'rejections', ...store]);
  expect(stdout).toContain('SCHEMA_UNKNOWN_LABEL');
  expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
});

test('rejected writes are listed, by time and by code', async () => {
  await sandbox.run(['gate', 'schema', 'add', 'Person', ...store]);
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
  expect(stdout).toMatch(/SCHEMA_UNKNOWN_LABEL {2}write_node by .+\n {2}Not registered: label "Persn"/);
  for (const wrong of [
    ['--since', 'yesterday'],
    ['--code', 'NOPE'],
    ['--limit', '0'],
  ])
    expect((await sandbox.run(['gate', 'rejections', ...wrong, ...store])).code).toBe(2);
});

test('drift counts what agents use and the registry lacks, and suggests how to add it', async () => {
  await sandbox.run(['gate', 'schema', 'add', 'Person', '--required', 'name', ...store]);
  await sandbox.run(['gate', 'schema', 'add', 'KNOWS', '--relationship', ...store]);
  await write({ ...person, label: 'Persn' });
  await write({ ...person, label: ':Persn' });
  await write({ ...person, label: 'Spaceship' });
  await write({ ...person, label: 'Person', properties: { nickname: 'A' } });
  const json = JSON.parse((await sandbox.run(['gate', 'drift', '--json', ...store])).stdout);
  expect(json).toEqual({
    graph: 'default',
    registry: 'the graph default',
    labels: [
      { name: 'Persn', count: 2, suggested: 'Person' },
      { name: 'Spaceship', count: 1 },
    ],
    relationship_types: [],
    properties: [{ label: 'Person', property: 'nickname', count: 1 }],
  });
  const { stdout } = await sandbox.run(['gate', 'drift', ...store]);
  expect(stdout).toContain('trellis gate schema add Person --absorbs Persn --store a.db\n');
  await sandbox.run([
    'gate',
    'schema',
    'add',
    'Person',
    '--absorbs',
    'Persn',
    '--type',
    'nickname:string',
    ...store,
  ]);
  const after = JSON.parse((await sandbox.run(['gate', 'drift', '--json', ...store])).stdout);
  expect([after.labels, after.properties]).toEqual([[{ name: 'Spaceship', count: 1 }], []]);
});

/** The last line that `gate drift` prints, as the words of a command. */
async function lastWords(...args: readonly string[]): Promise<string[]> {
  const { stdout } = await sandbox.run(['gate', 'drift', ...args]);
  return stdout.trim().split('\n').at(-1)?.trim().split(' ') ?? [];
}

test('trust 7: drift goes by the registry that the configuration puts in force', async () => {
  await writeFile(sandbox.path('gate.yaml'), 'nodes: [{ label: Person }, { label: Thing }]');
  await writeFile(
    sandbox.path('trellis.yaml'),
    'store: ./a.db\ngraphs: { work: { gate: { registry: gate.yaml, fallback_label: Thing } } }',
  );
  const gate = ['stdio', '--surface', 'gate', '--graph', 'work'];
  for (const label of ['Person', 'Persn'])
    await sandbox.run(gate, {}, callLines('write_node', { ...person, label }));
  const { stdout } = await sandbox.run(['gate', 'drift', '--graph', 'work', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    registry: sandbox.path('gate.yaml'),
    labels: [{ name: 'Persn', count: 1, suggested: 'Person' }],
  });
  const people = await sandbox.run(['gate', 'drift', '--graph', 'work']);
  expect(people.stdout).toContain(`In ${sandbox.path('gate.yaml')}, let Person absorb: Persn`);
  expect(people.stdout).not.toContain('trellis gate schema add');
});

test('trust 7: drift that finds no registry says so instead of calling everything drift', async () => {
  await sandbox.run(['graph', 'create', 'work', ...store]);
  const { code, stdout, stderr } = await sandbox.run(['gate', 'drift', '--graph', 'work', ...store]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('--gate-schema FILE');
});

test('trust 38: what drift suggests works on that graph', async () => {
  const work = ['--store', 'a.db', '--graph', 'work'];
  await sandbox.run(['graph', 'create', 'work', ...store]);
  await sandbox.run(['gate', 'schema', 'add', 'Person', ...work]);
  await sandbox.run(
    ['stdio', '--surface', 'gate', ...work],
    {},
    callLines('write_node', { ...person, label: 'Persn' }),
  );
  const [program, ...suggested] = await lastWords(...work);
  expect(program).toBe('trellis');
  expect((await sandbox.run(suggested)).code).toBe(0);
  expect((await sandbox.run(['gate', 'schema', 'list', ...work])).stdout).toBe('Person  absorbs Persn\n');
  expect((await sandbox.run(['gate', 'drift', ...work])).stdout).toBe(
    'The gate registry in the graph work has everything that agents use\n',
  );
});

test('trust 38: on a graph with a .pg schema, drift suggests what changes that', async () => {
  await writeFile(sandbox.path('work.pg'), 'node Person { name: String @key }');
  await sandbox.run(['graph', 'create', 'default', ...store]);
  await sandbox.run(['schema', 'apply', 'work.pg', ...store]);
  await write({ ...person, label: 'Persn' });
  const [, ...suggested] = await lastWords(...store);
  expect(suggested).toEqual(['schema', 'apply', 'FILE', ...store]);
  await writeFile(
    sandbox.path('work.pg'),
    'node Person { name: String @key }\nnode Persn { name: String @key }',
  );
  const apply = suggested.map((word) => (word === 'FILE' ? 'work.pg' : word));
  expect((await sandbox.run(apply)).code).toBe(0);
  expect((await sandbox.run(['gate', 'drift', ...store])).stdout).toContain('has everything');
});

test('drift names a registry file that does not exist', async () => {
  await sandbox.run(['graph', 'create', 'default', ...store]);
  const { code, stderr } = await sandbox.run(['gate', 'drift', '--gate-schema', 'none.yaml', ...store]);
  expect(code).toBe(1);
  expect(stderr).toContain(`trellis: Cannot read ${sandbox.path('none.yaml')}: it does not exist. [`);
});

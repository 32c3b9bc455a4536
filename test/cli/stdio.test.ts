import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { callLines, toolAnswer, useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const ann = { name: 'Ann', entityType: 'person', observations: ['Likes tea'] };
const create = callLines('create_entities', { entities: [ann] });
const read = callLines('read_graph', {});

test('with nothing given, the data goes to the data directory, for this user alone', async () => {
  const { code, stdout, stderr } = await sandbox.run(['stdio'], {}, create);
  expect(code).toBe(0);
  expect(toolAnswer(stdout)).toEqual({ entities: [ann] });
  const path = sandbox.path('data', 'trellis', 'trellis.db');
  expect(stderr).toBe(`trellis: the data is in ${path}, graph default\n`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(sandbox.path('data', 'trellis'))).mode & 0o777).toBe(0o700);
  expect(toolAnswer((await sandbox.run(['stdio'], {}, read)).stdout)).toEqual({
    entities: [ann],
    relations: [],
  });
});

test('without XDG_DATA_HOME it is below the home folder', async () => {
  const { stderr } = await sandbox.run(['stdio'], { XDG_DATA_HOME: '' });
  expect(stderr).toContain(sandbox.path('home'));
});

test.each([
  ['--file', ['--file', 'deep/er/memory.jsonl'], {}],
  ['MEMORY_FILE_PATH', [], { MEMORY_FILE_PATH: 'deep/er/memory.jsonl' }],
  ['--store', ['--store', 'deep/er/memory.jsonl'], {}],
])(
  '%s names a file of JSON lines, relative to the working directory; its folders are made',
  async (_, args, env) => {
    expect((await sandbox.run(['stdio', ...args], env, create)).code).toBe(0);
    const line = JSON.stringify({ type: 'entity', ...ann });
    expect(await readFile(sandbox.path('deep/er/memory.jsonl'), 'utf8')).toBe(`${line}\n`);
    expect((await stat(sandbox.path('deep'))).mode & 0o777).toBe(0o700);
  },
);

test('MEMORY_FILE_PATH may end in anything; it holds JSON lines', async () => {
  await sandbox.run(['stdio'], { MEMORY_FILE_PATH: '~/memory.txt' }, create);
  expect(await readFile(sandbox.path('home/memory.txt'), 'utf8')).toContain('"type":"entity"');
});

test('a file that ends in .db is a database', async () => {
  await sandbox.run(['stdio', '--file', 'a.db'], {}, create);
  expect((await readFile(sandbox.path('a.db'))).subarray(0, 6).toString()).toBe('SQLite');
});

test('a legacy memory.json is renamed and read; stderr says so', async () => {
  await writeFile(sandbox.path('memory.json'), JSON.stringify({ type: 'entity', ...ann }));
  const { stdout, stderr } = await sandbox.run(['stdio', '--file', 'memory.jsonl'], {}, read);
  expect(toolAnswer(stdout)).toEqual({ entities: [ann], relations: [] });
  expect(stderr).toContain('memory.json');
  expect(existsSync(sandbox.path('memory.json'))).toBe(false);
});

test('a flag wins over the environment', async () => {
  const env = { TRELLIS_STORE: sandbox.path('env.db'), TRELLIS_GRAPH: 'other' };
  const { stderr } = await sandbox.run(['stdio', '--store', 'flag.db', '--graph', 'default'], env);
  expect(stderr).toBe(`trellis: the data is in ${sandbox.path('flag.db')}, graph default\n`);
  expect(existsSync(sandbox.path('env.db'))).toBe(false);
});

test('a graph that does not exist is refused, with the command that makes it', async () => {
  const refused = await sandbox.run(['stdio', '--graph', 'work']);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toContain('There is no graph work');
  expect(refused.stderr).toContain('trellis graph create work');
  expect((await sandbox.run(['graph', 'create', 'work'])).code).toBe(0);
  expect(toolAnswer((await sandbox.run(['stdio', '--graph', 'work'], {}, create)).stdout)).toEqual({
    entities: [ann],
  });
  expect(toolAnswer((await sandbox.run(['stdio'], {}, read)).stdout)).toEqual({
    entities: [],
    relations: [],
  });
});

test('a folder in the place of the file is refused with a clear message', async () => {
  await mkdir(sandbox.path('folder.db'));
  await mkdir(sandbox.path('folder.jsonl'));
  for (const path of ['folder.db', 'folder.jsonl']) {
    const { code, stderr } = await sandbox.run(['stdio', '--store', path]);
    expect(code).toBe(1);
    expect(stderr).toContain(sandbox.path(path));
  }
});

test('the mesh surface makes a file in its own line format, and a file keeps the format it has', async () => {
  const nodes = (name: string) =>
    callLines('add_nodes', { nodes: [{ name, nodeType: 'person', metadata: ['Likes: tea'] }] });
  const mesh = ['stdio', '--surface', 'mesh', '--file'];
  const { code, stdout } = await sandbox.run([...mesh, 'mesh.jsonl'], {}, nodes('Ann'));
  expect(code).toBe(0);
  expect(toolAnswer(stdout)).toMatchObject({ actionTaken: 'Added nodes: Ann' });
  expect(await readFile(sandbox.path('mesh.jsonl'), 'utf8')).toBe(
    '{"type":"node","name":"Ann","nodeType":"person","metadata":["Likes: tea"]}\n',
  );
  await sandbox.run(['stdio', '--file', 'memory.jsonl'], {}, create);
  await sandbox.run([...mesh, 'memory.jsonl'], {}, nodes('Bob'));
  expect(await readFile(sandbox.path('memory.jsonl'), 'utf8')).toContain(
    '{"type":"entity","name":"Bob","entityType":"person","observations":["Likes: tea"]}\n',
  );
});

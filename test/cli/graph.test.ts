import { expect, test } from 'vitest';
import { callLines, toolAnswer, useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const create = callLines('create_entities', {
  entities: [{ name: 'Ann', entityType: 'person', observations: ['a'] }],
});
const read = callLines('read_graph', {});

test('graphs are created and listed', async () => {
  const created = await sandbox.run(['graph', 'create', 'work', '--store', 'a.db']);
  expect(created).toEqual({
    code: 0,
    stdout: `Created the graph work in ${sandbox.path('a.db')}\n`,
    stderr: '',
  });
  await sandbox.run(['graph', 'create', 'home', '--store', 'a.db']);
  const listed = await sandbox.run(['graph', 'list', '--store', 'a.db']);
  expect(listed.stdout.trim().split('\n').sort()).toEqual(['home', 'work']);
  const json = JSON.parse((await sandbox.run(['graph', 'list', '--json'], { TRELLIS_STORE: 'a.db' })).stdout);
  expect(json).toMatchObject({
    store: sandbox.path('a.db'),
    graphs: expect.arrayContaining([{ name: 'work', created_at: expect.any(String) }]),
  });
});

test('a graph is created once', async () => {
  await sandbox.run(['graph', 'create', 'work', '--store', 'a.db']);
  const again = await sandbox.run(['graph', 'create', 'work', '--store', 'a.db', '--json']);
  expect(again.code).toBe(1);
  expect(JSON.parse(again.stderr).error.code).toBe('GRAPH_EXISTS');
});

test('a file of JSON lines holds one graph only', async () => {
  const { code, stderr } = await sandbox.run(['graph', 'create', 'work', '--store', 'a.jsonl']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^trellis: /);
});

test('listing a store that is not there makes nothing', async () => {
  const { code, stderr } = await sandbox.run(['graph', 'list']);
  expect(code).toBe(1);
  expect(stderr).toContain('There is no store at');
});

test('a graph is renamed, and keeps what it holds', async () => {
  await sandbox.run(['stdio', '--store', 'a.db'], {}, create);
  const renamed = await sandbox.run(['graph', 'rename', 'default', 'work', '--store', 'a.db']);
  expect(renamed.stdout).toBe(`Renamed the graph default to work in ${sandbox.path('a.db')}\n`);
  const { stdout } = await sandbox.run(['stdio', '--store', 'a.db', '--graph', 'work'], {}, read);
  expect(toolAnswer(stdout)).toMatchObject({ entities: [{ name: 'Ann' }] });
  const again = await sandbox.run(['graph', 'rename', 'default', 'x', '--store', 'a.db', '--json']);
  expect([again.code, JSON.parse(again.stderr).error.code]).toEqual([1, 'GRAPH_NOT_FOUND']);
});

test('a graph that something was written to is deleted only with --yes', async () => {
  await sandbox.run(['stdio', '--store', 'a.db'], {}, create);
  const refused = await sandbox.run(['graph', 'delete', 'default', '--store', 'a.db']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('holds 1 node, 1 observation and 0 edges');
  expect(refused.stderr).toContain('trellis graph delete default --yes');
  expect((await sandbox.run(['graph', 'list', '--store', 'a.db'])).stdout).toBe('default\n');
  const deleted = await sandbox.run(['graph', 'delete', 'default', '--store', 'a.db', '--yes', '--json']);
  expect(JSON.parse(deleted.stdout)).toEqual({ name: 'default', deleted: true });
  expect((await sandbox.run(['graph', 'list', '--store', 'a.db'])).stdout).toContain('No graphs');
});

test('an empty graph is deleted without further ado', async () => {
  await sandbox.run(['graph', 'create', 'work', '--store', 'a.db']);
  const deleted = await sandbox.run(['graph', 'delete', 'work', '--store', 'a.db']);
  expect(deleted).toEqual({
    code: 0,
    stdout: `Deleted the graph work from ${sandbox.path('a.db')}\n`,
    stderr: '',
  });
  const again = await sandbox.run(['graph', 'delete', 'work', '--store', 'a.db']);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('[GRAPH_NOT_FOUND]')]);
});

import { expect, test } from 'vitest';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

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

import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const memoryLines = [
  '{"type":"entity","name":"Ann","entityType":"person","observations":["Likes tea"]}',
  '{"type":"entity","name":"Bob","entityType":"person","observations":[]}',
  '{"type":"relation","from":"Ann","to":"Bob","relationType":"knows"}',
  '{"type":"relation","from":"Ann","to":"Nobody","relationType":"seeks","weight":0.5}',
];
const memoryFile = `${memoryLines.join('\n')}\n`;
const meshFile = [
  '{"type":"node","name":"Ann","nodeType":"person","metadata":["Likes tea"]}',
  '{"type":"node","name":"Bob","nodeType":"person","metadata":[]}',
  '{"type":"edge","from":"Ann","to":"Bob","edgeType":"knows","weight":1}',
  '{"type":"edge","from":"Ann","to":"Nobody","edgeType":"seeks","weight":0.5}',
  '',
].join('\n');

beforeEach(() => writeFile(sandbox.path('in.jsonl'), memoryFile));

describe.each(['s.db', 's.jsonl'])('with the store %s', (store) => {
  test('import then export gives the same file, and either format', async () => {
    const imported = await sandbox.run(['import', 'in.jsonl', '--store', store]);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(imported.stdout).toContain('nodes: 2 created, 0 merged (0 observations added), 0 unchanged');
    expect(imported.stdout).toContain('edges: 2 created, 0 unchanged');
    const { code, stdout, stderr } = await sandbox.run(['export', '--store', store]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: memoryFile });
    expect(stderr).toContain('wrote 2 nodes and 2 edges to standard output');
    expect(stderr).toContain('history (commits and times) is left out');
    expect((await sandbox.run(['export', '-', '--store', store, '--format', 'mesh'])).stdout).toBe(meshFile);
  });

  test('importing again changes nothing', async () => {
    await sandbox.run(['import', 'in.jsonl', '--store', store]);
    const again = await sandbox.run(['import', 'in.jsonl', '--store', store, '--json']);
    expect(JSON.parse(again.stdout)).toEqual({
      file: sandbox.path('in.jsonl'),
      dry_run: false,
      nodes: 2,
      edges: 2,
      unreadable: [],
      unknown_keys: [],
      imported: {
        nodes_created: 0,
        nodes_merged: 0,
        nodes_unchanged: 2,
        observations_added: 0,
        edges_created: 0,
        edges_unchanged: 2,
      },
    });
  });

  test('--dry-run writes nothing', async () => {
    const { code, stdout } = await sandbox.run(['import', 'in.jsonl', '--store', store, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('holds 2 nodes, 2 edges, 0 unreadable lines. Nothing was written.');
    expect(existsSync(sandbox.path(store))).toBe(false);
  });
});

describe('lines that cannot be read', () => {
  beforeEach(() =>
    writeFile(sandbox.path('bad.jsonl'), `${memoryLines[0]}\nnot json\n${memoryLines[1]}\n{"type":"x"}`),
  );

  test('stop an import before anything is written', async () => {
    const { code, stderr } = await sandbox.run(['import', 'bad.jsonl', '--store', 's.db']);
    expect(code).toBe(1);
    expect(stderr).toContain('line 2 is not JSON');
    expect(stderr).toContain('line 4 has a "type"');
    expect(stderr).toContain('2 lines of');
    expect(stderr).toContain('--skip-unreadable');
    expect(existsSync(sandbox.path('s.db'))).toBe(false);
  });

  test('are all listed by --dry-run, which then exits with 1', async () => {
    const { code, stdout } = await sandbox.run(['import', 'bad.jsonl', '--dry-run', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      dry_run: true,
      nodes: 2,
      unreadable: [
        { line: 2, reason: 'is not JSON' },
        { line: 4, reason: expect.any(String) },
      ],
    });
  });

  test('are passed over with --skip-unreadable', async () => {
    const { code, stderr } = await sandbox.run([
      'import',
      'bad.jsonl',
      '--store',
      's.db',
      '--skip-unreadable',
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('line 2 is not JSON');
    const { stdout } = await sandbox.run(['export', '--store', 's.db']);
    expect(stdout).toBe(`${memoryLines[0]}\n${memoryLines[1]}\n`);
  });
});

test('an export never replaces the store itself, nor what is no file, and goes through a link', async () => {
  const kept = `${memoryFile}{broken\n`;
  await writeFile(sandbox.path('own.jsonl'), kept);
  const own = await sandbox.run(['export', 'own.jsonl', '--file', 'own.jsonl', '--force']);
  expect(own.code).toBe(1);
  expect(own.stderr).toContain('is the store itself');
  expect(await readFile(sandbox.path('own.jsonl'), 'utf8')).toBe(kept);

  await mkdir(sandbox.path('folder'));
  const folder = await sandbox.run(['export', 'folder', '--file', 'own.jsonl', '--force']);
  expect(folder.stderr).toContain('no ordinary file');

  await writeFile(sandbox.path('target.jsonl'), '');
  await symlink(sandbox.path('target.jsonl'), sandbox.path('link.jsonl'));
  expect((await sandbox.run(['export', 'link.jsonl', '--file', 'own.jsonl', '--force'])).code).toBe(0);
  expect((await lstat(sandbox.path('link.jsonl'))).isSymbolicLink()).toBe(true);
  expect(await readFile(sandbox.path('target.jsonl'), 'utf8')).toBe(memoryFile);
});

test('an exported file is for its owner alone and replaces another only with --force', async () => {
  await sandbox.run(['import', 'in.jsonl', '--store', 's.db']);
  expect((await sandbox.run(['export', 'out.jsonl', '--store', 's.db'])).code).toBe(0);
  expect((await stat(sandbox.path('out.jsonl'))).mode & 0o777).toBe(0o600);
  await writeFile(sandbox.path('out.jsonl'), 'precious');
  const refused = await sandbox.run(['export', 'out.jsonl', '--store', 's.db']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('--force');
  expect(await readFile(sandbox.path('out.jsonl'), 'utf8')).toBe('precious');
  const forced = await sandbox.run(['export', 'out.jsonl', '--store', 's.db', '--force', '--json']);
  expect(JSON.parse(forced.stdout)).toMatchObject({ file: sandbox.path('out.jsonl'), nodes: 2, edges: 2 });
  expect(await readFile(sandbox.path('out.jsonl'), 'utf8')).toBe(memoryFile);
});

test('an export that fails leaves no file behind', async () => {
  const refused = await sandbox.run(['export', 'out.jsonl', '--store', 'none.db']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(existsSync(sandbox.path('out.jsonl'))).toBe(false);
  expect(existsSync(sandbox.path('none.db'))).toBe(false);
  await sandbox.run(['import', 'in.jsonl', '--store', 's.db']);
  const unwritable = await sandbox.run(['export', 'no/such/folder.jsonl', '--store', 's.db']);
  expect(unwritable.code).toBe(1);
  expect(unwritable.stderr).toContain('Cannot write');
});

test('import and export keep to the graph they are given', async () => {
  await sandbox.run(['graph', 'create', 'work']);
  await sandbox.run(['import', 'in.jsonl', '--graph', 'work']);
  expect((await sandbox.run(['export', '--graph', 'work'])).stdout).toBe(memoryFile);
  const missing = await sandbox.run(['import', 'in.jsonl', '--graph', 'other']);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain('trellis graph create other');
});

test('keys that have no place in a graph are named', async () => {
  await writeFile(
    sandbox.path('more.jsonl'),
    '{"type":"entity","name":"A","entityType":"t","observations":[],"colour":1}',
  );
  const { stderr } = await sandbox.run(['import', 'more.jsonl']);
  expect(stderr).toContain('left out: colour');
});

test('a large file goes in and comes out unchanged', async () => {
  const entities = Array.from({ length: 5_000 }, (_, index) =>
    JSON.stringify({
      type: 'entity',
      name: `n${index}`,
      entityType: 't',
      observations: [`fact ${index}`, 'x'],
    }),
  );
  const relations = Array.from({ length: 5_000 }, (_, index) =>
    JSON.stringify({ type: 'relation', from: `n${index}`, to: `n${(index * 7) % 5_000}`, relationType: 'r' }),
  );
  const content = `${[...entities, ...relations].join('\n')}\n`;
  await writeFile(sandbox.path('large.jsonl'), content);
  expect((await sandbox.run(['import', 'large.jsonl', '--store', 's.db'])).code).toBe(0);
  expect((await sandbox.run(['export', '--store', 's.db'])).stdout === content).toBe(true);
});
